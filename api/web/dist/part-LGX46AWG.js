/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{b as I,c as O,e as L,k as A,l as J,m as X,o as R,q as D}from"./part-L5FG7ZTU.js";import{f as W}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";
import"./part-LRED2DU6.js";import{c as B}from"./part-S5T474SM.js";import{a as j,j as N,k as m}from"./part-LMNZKLVE.js";import"./part-QM4WH6KA.js";
import{a as C,f as E,i as g,o as f,r as n}from"./part-WMXWHT22.js";function U(t){let s=[];for(let e of t.turns)if(s.push({seq:e.startSeq,kind:"turn",words:`${e.turnId} begins`}),e.endSeq!==void 0){let r=e.status==="error"||e.cause===
"lost";s.push({seq:e.endSeq,kind:r?"failed":"turn",words:r?`${e.turnId} fails`:`${e.turnId} ends`})}for(let e of t.requests)s.push({seq:e.openedSeq,kind:"reques\
t",words:e.kind==="approval"?`${e.toolName??"a tool"} asks`:"a question"}),e.resolvedSeq!==void 0&&s.push({seq:e.resolvedSeq,kind:"request",words:e.resolved?.outcome??
"answered"});for(let e of t.entries)e.entryType==="compaction"?s.push({seq:e.endSeq??e.startSeq,kind:"compaction",words:"compaction"}):e.entryType==="tool_call"&&
e.data.status==="error"&&e.endSeq!==void 0&&s.push({seq:e.endSeq,kind:"failed",words:`${e.data.toolName} fails`});return t.end!==void 0&&s.push({seq:t.seq,kind:t.
end.reason==="error"?"failed":"end",words:"the session ends"}),s.sort((e,r)=>e.seq-r.seq)}function P(t,s,e){return e>0?t.find(r=>r.seq>s):t.findLast(r=>r.seq<s)}
var K={failed:3,request:2,compaction:1,end:1,turn:0};function _(t,s,e){let r=new Map;for(let o of t){let l=s<=1?0:Math.round((o.seq-1)/(s-1)*e),u=r.get(l);(u===
void 0||K[o.kind]>K[u.kind])&&r.set(l,o)}return[...r].map(([o,l])=>({part:o/e,mark:l}))}var Z=3e3,y=class extends Error{constructor(){super("The daemon does not answer, and this browser has not kept the whole log up to there.")}};async function z(t,s,e,r){
let o=ee(),l=t.questions.put({type:"past",id:s,at:e},a=>o.resolve(a.type==="past"&&a.state!==void 0?L(a.state):void 0)),u=setTimeout(()=>o.resolve(void 0),Z),w=()=>o.
reject(r.reason);r.addEventListener("abort",w);try{return await o.promise??await J(t.client.session(s),{at:e,signal:r})}catch(a){throw a instanceof Error&&a.name===
"Unreachable"?new y:a}finally{clearTimeout(u),r.removeEventListener("abort",w),l()}}function ee(){let t={};return{promise:new Promise((e,r)=>Object.assign(t,{resolve:e,
reject:r})),...t}}function G({session:t}){let s=f(!0),{openRequests:e,state:r}=t.fold;return n(D,{session:t,isAtEnd:s,tail:n(C,{children:[r.entries.length===0&&r.turns.length===0?
n("p",{class:"empty",children:"Nothing had been said yet."}):null,e.map(o=>n("section",{class:"request past","aria-label":"What was asked",children:[n("h3",{dir:"\
auto",children:o.kind==="approval"?n(C,{children:[n("span",{class:"asks",children:"wanted"})," ",m([o.toolName,o.toolKind==="execute"?"":o.subject].filter(Boolean).
join(" "))]}):m(o.title)}),n(R,{request:o,call:t.fold.entry(o.entryId??"")}),n("p",{class:"note",children:"It was open at this time."})]},o.requestId)),r.queue.
length===0?null:n("section",{class:"then-queue",children:[n("h3",{children:"Waiting then"}),n("ol",{children:r.queue.map(o=>n("li",{dir:"auto",children:m(o.text.
split(`
`)[0]??"")},o.promptId))})]}),r.end===void 0?null:n("p",{class:"mark",children:"The session had ended."})]})})}var te=120,ne=1500;function $e({session:t,here:s}){let e=B(),r=t.fold.state.seq,o=Math.max(t.seq.value,r,1),l=re(s.at,t.fold.cursor),u=l?.epoch??t.fold.cursor.epoch,
w=g(()=>Math.max(1,r),[t,l===void 0,u]),a=Math.min(l?.seq??w,o),M=f(void 0),q=f(""),d=f(!1),b=f(""),T=f(!1),H=T.value&&e.link.value==="live",Q=t.head.value,v=g(
()=>U(t.fold.state),[t,Q]),V=g(()=>_(v,o,200),[v,o]),k=i=>{b.value="",W({id:s.id,part:"time",at:I({epoch:t.fold.cursor.epoch,seq:Math.max(1,Math.min(o,i))})},!0)};
E(()=>{let i=new AbortController,S=setTimeout(()=>{z(e,t.id,{epoch:u,seq:a},i.signal).then(p=>{let $=new A(t.id,p.seq);$.begin(p,{epoch:p.epoch,seq:p.seq},!0),$.
trouble.value=X(p),M.value=$,q.value="",T.value=!1},p=>{i.signal.aborted||(q.value=j(p),T.value=p instanceof y,d.value=!1)})},M.peek()===void 0?0:te);return()=>{
clearTimeout(S),i.abort()}},[t,u,a,H]);let h=P(v,a,1),F=P(v,a,-1);E(()=>{if(!d.value)return;if(h===void 0){d.value=!1;return}let i=setTimeout(()=>k(h.seq),ne);return()=>clearTimeout(
i)},[d.value,a,h?.seq]);let c=M.value,Y=c!==void 0&&c.fold.state.seq===a,x=v.find(i=>i.seq===a);return n("div",{class:"part time",children:[n("div",{class:"slid\
er",children:[n("div",{class:"ticks","aria-hidden":"true",children:V.map(({part:i,mark:S})=>n("span",{class:`tick tick-${S.kind}`,style:{left:`${i*100}%`}},S.seq))}),
n("input",{type:"range",min:1,max:o,value:a,"aria-label":"Place in the log","aria-valuetext":`event ${a} of ${o}${x===void 0?"":`, ${x.words}`}`,onInput:i=>{d.value=
!1,k(Number(i.currentTarget.value))}}),n("div",{class:"part-bar",children:[n("button",{type:"button",class:"small",disabled:F===void 0,onClick:()=>k(F.seq),children:"\
← Mark"}),n("button",{type:"button",class:"small","aria-label":"−1 event",disabled:a<=1,onClick:()=>k(a-1),children:"−1"}),n("button",{type:"button",class:"\
small","aria-label":"+1 event",disabled:a>=o,onClick:()=>k(a+1),children:"+1"}),n("button",{type:"button",class:"small",disabled:h===void 0,onClick:()=>k(h.seq),
children:"Mark →"}),n("button",{type:"button",class:"small","aria-pressed":d.value,disabled:h===void 0,onClick:()=>{d.value=!d.peek()},children:d.value?"Pause":
"Play"}),n("span",{class:"note grows",role:"status",children:Y?[`event ${a} of ${o}`,new Date(c.fold.state.ts).toLocaleString(),N(c.fold.state.status?.state??"",
m(c.fold.state.status?.toolName??"")),x?.words??""].filter(i=>i!=="").map(m).join(" · "):`event ${a} of ${o}…`}),n("button",{type:"button",class:"small",onClick:()=>{
k(a),navigator.clipboard.writeText(location.href).then(()=>{b.value="copied"},()=>{b.value="The address has it."})},children:b.value===""?"Copy a link":b.value})]}),
n(se,{marks:v})]}),q.value===""?null:n("p",{class:"error",role:"alert",children:m(q.value)}),c===void 0?q.value===""?n("p",{class:"empty",role:"status",children:"\
Asking for the state…"}):null:n(G,{session:c},c.fold.state.seq)]})}var oe=[["turn","turns"],["request","requests"],["failed","failures"],["compaction","compac\
tions"]];function se({marks:t}){return n("p",{class:"legend",children:oe.filter(([s])=>t.some(e=>e.kind===s)).map(([s,e])=>n("span",{class:`key-${s}`,children:e},
s))})}function re(t,s){try{let e=t===void 0?void 0:O(t);return e===void 0||e.seq<1?void 0:{epoch:e.epoch||s.epoch,seq:e.seq}}catch{return}}export{$e as Time};
