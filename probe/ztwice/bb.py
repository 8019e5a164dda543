import re,sys
lines=open(sys.argv[1]).read().split('\n')
bbs=[];cur=None;lab='entry'
def new(l): 
    return dict(label=l,ins=[])
cur=new('entry')
for l in lines:
    m=re.match(r'^\s*(\.L_x?_?\w+):',l)
    if m:
        if cur['ins']: bbs.append(cur)
        cur=new(m.group(1)); continue
    m=re.match(r'^\s+/\*([0-9a-f]+)\*/\s+(.*?);',l)
    if m:
        t=m.group(2); cur['ins'].append((m.group(1),t))
        if re.search(r'\b(BRA|EXIT|BRX|RET|BSYNC)\b',t):
            bbs.append(cur); cur=new('')
if cur['ins']: bbs.append(cur)
for b in bbs:
    ops=[re.sub(r'^@!?U?P[0-9T]+ ','',t).split()[0].split('.')[0] for a,t in b['ins']]
    dp=sum(o in('DADD','DFMA','DMUL','DSETP') for o in ops)
    from collections import Counter
    c=Counter(ops)
    if len(ops)>=int(sys.argv[2]) if len(sys.argv)>2 else 1:
        print(b['label'],b['ins'][0][0],b['ins'][-1][0],len(ops),'dp',dp,dict(c.most_common(9)),'|',b['ins'][-1][1])
