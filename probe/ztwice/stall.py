import re,sys,subprocess
def load(cubin):
    out=subprocess.run(['./nvdisasm','-c','-hex',cubin],capture_output=True,text=True).stdout.split('\n')
    ins=[];i=0
    for j,l in enumerate(out):
        m=re.match(r'^\s+/\*([0-9a-f]{4,5})\*/\s+(.*?);?\s*/\* 0x([0-9a-f]{16}) \*/',l)
        if m:
            m2=re.search(r'/\* 0x([0-9a-f]{16}) \*/',out[j+1])
            hi=int(m2.group(1),16); lo=int(m.group(3),16)
            w=(hi<<64)|lo
            c=(w>>105)&0x1fffff
            ins.append((int(m.group(1),16),m.group(2).strip(),c&0xf,(c>>4)&1,(c>>5)&7,(c>>8)&7,(c>>11)&0x3f))
    return ins
if __name__=='__main__':
    ins=load(sys.argv[1])
    for r in sys.argv[2:]:
        lo,hi=[int(x,16) for x in r.split('-')]
        sel=[x for x in ins if lo<=x[0]<=hi]
        dp=[x for x in sel if re.search(r'\b(DADD|DFMA|DMUL)\b',x[1])]
        print(r,'n',len(sel),'dp',len(dp),'stall sum',sum(max(x[2],1) for x in sel),'waits',sum(1 for x in sel if x[6]), 'dpstall',sum(max(x[2],1) for x in dp))
