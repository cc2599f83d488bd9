#!/usr/bin/env python3
"""Circles of files: strongly connected components of the graph "file A names an item of file B".

usage: circles.py SRC...      (a crate's src folder each; test code is left out)
An edge goes from a file to the file that DEFINES the module a path leads to. `use super::x`, `crate::a::b`, `self::c` and
bare child paths `child::item` count. A `mod.rs` that only declares or re-exports children does not depend on them by that:
an edge to `a/mod.rs` counts only if the named item is defined there; a re-exported name leads on to its file.
"""
import os, re, sys

def strip(t):
    t = re.sub(r'/\*.*?\*/', '', t, flags=re.S)
    t = re.sub(r'"(?:\\.|[^"\\])*"', '""', t, flags=re.S)
    t = re.sub(r"//[^\n]*", '', t)
    # drop #[cfg(test)] items: mod x; or block { .. } (or a use)
    out=[];i=0
    while True:
        m=re.compile(r'#\[cfg\(test\)\]').search(t,i)
        if not m: out.append(t[i:]);break
        out.append(t[i:m.start()]);j=m.end()
        # skip further attributes
        k=j
        while True:
            mm=re.compile(r'\s*#\[[^\]]*\]').match(t,k)
            if not mm: break
            k=mm.end()
        b=t.find('{',k); s=t.find(';',k)
        if s!=-1 and (b==-1 or s<b): i=s+1
        else:
            d=0;p=b
            while p<len(t):
                if t[p]=='{':d+=1
                elif t[p]=='}':
                    d-=1
                    if d==0:break
                p+=1
            i=p+1
    return ''.join(out)

def expand(tree):
    """use-tree text -> list of (path segments, alias)"""
    tree=tree.strip()
    res=[]
    b=tree.find('{')
    if b==-1:
        m=re.match(r'(.*?)\s+as\s+(\w+)$',tree)
        path,alias=(m.group(1),m.group(2)) if m else (tree,None)
        segs=[s.strip() for s in path.split('::') if s.strip()]
        if segs: res.append((segs,alias or segs[-1]))
        return res
    head=[s.strip() for s in tree[:b].split('::') if s.strip()]
    body=tree[b+1:tree.rfind('}')]
    d=0;cur='';parts=[]
    for c in body:
        if c=='{':d+=1
        if c=='}':d-=1
        if c==',' and d==0: parts.append(cur);cur=''
        else: cur+=c
    parts.append(cur)
    for p in parts:
        for segs,al in expand(p):
            if segs==['self']: res.append((head,head[-1] if head else 'self'))
            else: res.append((head+segs,al))
    return res

class Crate:
    def __init__(s,src):
        s.src=src; s.mods={}  # tuple path -> file
        root='lib.rs' if os.path.exists(src+'/lib.rs') else 'main.rs'
        s.files={}; s.children={}; s.defs={}; s.reexp={}; s.text={}
        s.load((),os.path.join(src,root),src)
    def load(s,mod,path,folder):
        t=strip(open(path).read()); s.mods[mod]=path; s.text[mod]=t
        s.children[mod]=set()
        for m in re.finditer(r'\bmod\s+(\w+)\s*;',t):
            n=m.group(1)
            for p,f in ((os.path.join(folder,n+'.rs'),os.path.join(folder,n)),(os.path.join(folder,n,'mod.rs'),os.path.join(folder,n))):
                if os.path.exists(p):
                    s.children[mod].add(n); s.load(mod+(n,),p,f); break
        s.defs[mod]=set(re.findall(r'\b(?:fn|struct|enum|trait|type|static|const|union|macro_rules!)\s+(\w+)',t))
        s.reexp[mod]={}; s.globs=getattr(s,'globs',{}); s.globs[mod]=[]
        for m in re.finditer(r'\bpub(?:\([^)]*\))?\s+use\s+([^;]+);',t):
            for segs,al in expand(m.group(1)):
                if al=='*': s.globs[mod].append(segs[:-1])
                else: s.reexp[mod][al]=segs
    def resolve(s,mod,segs,depth=0):
        """file's module that defines what segs names, seen from mod; None if outside the crate"""
        if depth>12 or not segs: return None
        cur=mod; i=0; rel=False
        if segs[0]=='crate': cur=();i=1;rel=True
        elif segs[0]=='self': i=1;rel=True
        elif segs[0]=='super':
            while i<len(segs) and segs[i]=='super': cur=cur[:-1];i+=1
            rel=True
        elif segs[0] in s.children[mod] : rel=True
        if not rel: return None
        while i<len(segs) and segs[i] in s.children[cur]:
            cur=cur+(segs[i],);i+=1
        if i>=len(segs): return cur,True
        n=segs[i]
        if n in ('*',): return cur,False
        if n in s.defs[cur]: return cur,False
        if n in s.reexp[cur]:
            r=s.resolve(cur,s.reexp[cur][n],depth+1)
            if r: 
                if r[1] and i+1<len(segs): 
                    return s.resolve((),['crate',*r[0],*segs[i+1:]],depth+1)
                return r
            return None
        for g in s.globs[cur]:
            r=s.resolve(cur,g+[n],depth+1)
            if r and n in s.defs[r[0]]: return r
        # a private use in a module, reached by super::
        return cur,False
    def edges(s):
        E={m:set() for m in s.mods}
        for mod,t in s.text.items():
            names={}
            for m in re.finditer(r'(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);',t):
                pub=m.group(1)
                for segs,al in expand(m.group(2)):
                    r=s.resolve(mod,segs)
                    if r is None: continue
                    tgt,ismod=r
                    if ismod: names[al]=tgt; continue
                    if pub: continue     # a re-export is no dependency
                    if tgt!=mod: E[mod].add(tgt)
            body=re.sub(r'\buse\s+[^;]+;','',t)
            body=re.sub(r'\bmod\s+\w+\s*;','',body)
            for m in re.finditer(r'(?<![\w:])((?:crate|super|self|[a-z_]\w*)(?:::\w+)+)',body):
                segs=m.group(1).split('::')
                if segs[0] in names: 
                    r=s.resolve((),['crate',*names[segs[0]],*segs[1:]])
                elif segs[0] in ('crate','super','self') or segs[0] in s.children[mod]:
                    r=s.resolve(mod,segs)
                else: continue
                if r and not r[1] and r[0]!=mod: E[mod].add(r[0])
        return E

def scc(E):
    sys.setrecursionlimit(10000)
    idx={};low={};st=[];on=set();out=[];c=[0]
    def go(v):
        idx[v]=low[v]=c[0];c[0]+=1;st.append(v);on.add(v)
        for w in sorted(E[v]):
            if w not in idx: go(w);low[v]=min(low[v],low[w])
            elif w in on: low[v]=min(low[v],idx[w])
        if low[v]==idx[v]:
            comp=[]
            while True:
                w=st.pop();on.discard(w);comp.append(w)
                if w==v:break
            out.append(comp)
    for v in sorted(E):
        if v not in idx: go(v)
    return [sorted(c) for c in out if len(c)>1]

# A static list of entries (MODELS, METRICS ...) names its children: that is the house's way and no knot, so the edge
# from a `mod.rs` or `lib.rs` to a child inside `static LIST: ... = &[...]` is left out.
def without_lists(t):
    return re.sub(r'(?:pub(?:\([^)]*\))?\s+)?static\s+\w+\s*:[^=]*=\s*&?\[.*?\];','',t,flags=re.S)

worst=0
for src in sys.argv[1:]:
    c=Crate(src)
    for m in c.text: c.text[m]=without_lists(c.text[m])
    E=c.edges()
    comps=sorted(scc(E),key=len,reverse=True)
    print(f'{src}: {len(c.mods)} files, {sum(map(len,E.values()))} edges, {len(comps)} circles, longest {max(map(len,comps),default=0)}')
    for comp in comps:
        print('  %d: %s'%(len(comp),' '.join('::'.join(m) or '(root)' for m in comp)))
        S=set(comp)
        for a in comp:
            for b in sorted(E[a]&S): print('       %s -> %s'%('::'.join(a) or '(root)','::'.join(b) or '(root)'))
