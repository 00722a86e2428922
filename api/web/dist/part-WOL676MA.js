/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as R}from"./part-TGA47FIY.js";import{b as z,c as B,e as I}from"./part-UCHGSOGL.js";import{c as F,e as A}from"./part-QQFDD3BP.js";import{
c as W}from"./part-S5T474SM.js";import{b as q,g as $,h as L,k as w}from"./part-LMNZKLVE.js";import{b as N}from"./part-3ZF3ID26.js";import{b as _,
e as E}from"./part-QM4WH6KA.js";import{f as b,h as H,k as J,o as v,p as X,r as t}from"./part-WMXWHT22.js";var se=120,te=10;function K(i,s,f){let o=v({words:"",hits:[]}),a=f?s.trim():"";return b(()=>{if(a==="")return;let d,u=setTimeout(()=>{d=i.questions.put({type:"s\
earch",words:a},p=>{if(p.type==="found"){let{id:r,hits:g,progress:h}=p,k=r===void 0?[]:g.map((C,M)=>({...C,id:r,isLastOfMany:M===te-1}));o.value={words:a,hits:[
...o.peek().hits,...k],progress:h}}},()=>{o.value={words:a,hits:[],progress:"begins"}})},se);return()=>{clearTimeout(u),d?.()}},[i,a]),o.value.words===a?o.value:
{words:a,hits:[],...a===""?{}:{progress:"begins"}}}function U({parts:i}){return t("span",{class:"snippet",dir:"auto",children:i.map((s,f)=>s.isHit?t("mark",{children:w(
s.text)},f):w(s.text))})}var ne={user_message:"you",assistant_message:"agent",thinking:"thinking",tool_result:"result",plan:"plan",compaction:"compaction",system:"\
notice"};function V(i){return i.kind==="tool_call"?i.tool??"tool":ne[i.kind]??i.kind}function G({said:i,listed:s,isOnDisk:f}){let{progress:o,hits:a}=i;if(o===void 0)
return null;if(o==="begins"||o.stage==="goes on")return t("p",{class:"note searched",children:[t("span",{role:"status",children:"Searching what was said…"}),o===
"begins"?null:t("span",{"aria-hidden":"true",children:[" ",o.searched," of ",$(o.kept,"session")]})]});let d=Math.max(0,s-o.kept),u=`${$(o.kept,"session")} ${f?
"kept in this browser":"open in this page"}`,p=o.stage==="full"?`The first ${a.length} places of more, in ${o.searched} of ${u}.`:`${$(a.length,"place")} in ${u}\
.`,r=d===0?"":` ${d===1?"One other session was":`${d} other sessions were`} not searched: ${d===1?"it is":"they are"} with the daemon alone.`;return t("p",{class:"\
note searched",role:"status",children:[p,r]})}var Q={all:"Command, session, or words that were said",beside:"Session to show beside this one",said:"Words that were said"},oe={all:"Commands and sessions",beside:"\
Show a session beside this one",said:"Search what was said"},Y=12,x=30;function be({commands:i,mode:s,text:f,close:o}){let a=W(),d=H(null),u=v(f),p=v(0),r=v(x),
g=v(!1),h=J();b(()=>d.current?.showModal(),[]);let k=K(a,u.value,s==="said"?u.value.trim().length>1:s==="all"&&u.value.trim().length>2),C=X(()=>{let e=_.value,c=e.
view==="session"?[e.id,...(e.beside??[]).map(n=>n.id)]:[],y=n=>n.map(m=>({c:m,f:N(`${m.name} ${m.more??""}`,u.value)})).filter(m=>m.f!==void 0).sort((m,ee)=>ee.
f-m.f).slice(0,Y).map(m=>m.c),Z=new Set(a.inbox.requests.value.map(n=>n.sessionId)),j=()=>[...a.sessions.value.values()].filter(n=>s==="all"||!c.includes(n.id)).
sort((n,m)=>Date.parse(m.updatedAt)-Date.parse(n.updatedAt)).map(n=>({id:`s/${n.id}`,name:I(n),more:`${n.agent} ${L(n.cwd)}`,note:z[B(n,Z.has(n.id),R.value[n.id])],
does:()=>E(s==="beside"&&e.view==="session"?F(e,n.id):A({view:"session",id:n.id}))}));return s==="said"?[]:[...s==="all"?y([...i]):[],...y(j())]}),M=k.hits.slice(
0,s==="all"?Y:void 0).map(e=>{let c=a.sessions.value.get(e.id);return{id:`e/${e.id}/${e.entryId}`,name:I(c??{}),parts:e.parts,note:[c?.agent??"",V(e),q(Date.now()-
e.ts),e.isLastOfMany?"there may be more in this session":""].filter(y=>y!=="").join(" · "),does:()=>E(A({view:"session",id:e.id,entry:e.entryId}))}}),l=[...C.value,
...M],O=e=>{e!==void 0&&(d.current?.close(),e.does())},D=l[0];b(()=>{g.value&&D!==void 0&&(g.value=!1,O(D))},[D,g.value]);let S=Math.min(p.value,l.length-1);b(()=>document.
getElementById(`${h}-${p.value}`)?.scrollIntoView({block:"nearest"}),[p.value]);let{progress:P}=k,T=P==="begins"||P?.stage==="goes on";return t("dialog",{ref:d,
class:`palette palette-${s}`,"aria-label":oe[s],onClose:o,children:[t("input",{role:"combobox","aria-expanded":"true","aria-controls":h,"aria-activedescendant":l.
length===0?void 0:`${h}-${S}`,"aria-label":Q[s],placeholder:Q[s],autocomplete:"off",spellcheck:!1,value:u.value,onInput:e=>{u.value=e.currentTarget.value,p.value=
0,r.value=x,g.value=!1},onKeyDown:e=>{e.key==="ArrowDown"||e.key==="ArrowUp"?(e.preventDefault(),p.value=l.length===0?0:(S+(e.key==="ArrowDown"?1:-1)+l.length)%
l.length,r.value=Math.max(r.value,p.value+x)):e.key==="Enter"&&!e.isComposing&&(e.preventDefault(),g.value=l.length===0&&T,O(l[S]))}}),t("ul",{id:h,role:"listbo\
x","aria-label":"What fits",onScroll:({currentTarget:{scrollTop:e,clientHeight:c,scrollHeight:y}})=>{e+2*c>y&&(r.value=Math.max(r.value,Math.min(l.length,r.value+
x)))},children:l.slice(0,r.value).map((e,c)=>t("li",{id:`${h}-${c}`,role:"option","aria-posinset":c+1,"aria-setsize":l.length,class:e.parts===void 0?"":"said","\
aria-selected":c===S,onClick:()=>O(e),children:[e.parts===void 0?null:t(U,{parts:e.parts}),t("span",{class:"name",dir:"auto",children:[w(e.name),e.more===void 0?
null:t("span",{class:"note",children:[" ",w(e.more)]})]}),t("span",{class:"note",children:w(e.note)})]},e.id))}),l.length>0||T||s==="said"?null:t("p",{class:"em\
pty",role:"status",children:"Nothing fits."}),t(G,{said:k,listed:a.sessions.value.size,isOnDisk:a.keeps.value==="disk"})]})}export{be as Palette};
