/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{d as P,e as O,j as L,o as A,q as W,s as B}from"./part-FQCTX5C4.js";import{f as J}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";
import"./part-LRED2DU6.js";import{c as X}from"./part-S5T474SM.js";import{a as j,j as N,k as f}from"./part-LMNZKLVE.js";import"./part-QM4WH6KA.js";
import{a as $,f as C,i as g,o as p,r as n}from"./part-WMXWHT22.js";function D(t){let s=[];for(let e of t.turns)if(s.push({seq:e.startSeq,kind:"turn",words:`${e.turnId} begins`}),e.endSeq!==void 0){let r=e.status==="error"||e.cause===
"lost";s.push({seq:e.endSeq,kind:r?"failed":"turn",words:r?`${e.turnId} fails`:`${e.turnId} ends`})}for(let e of t.requests)s.push({seq:e.openedSeq,kind:"reques\
t",words:e.kind==="approval"?`${e.toolName??"a tool"} asks`:"a question"}),e.resolvedSeq!==void 0&&s.push({seq:e.resolvedSeq,kind:"request",words:e.resolved?.outcome??
"answered"});for(let e of t.entries)e.entryType==="compaction"?s.push({seq:e.endSeq??e.startSeq,kind:"compaction",words:"compaction"}):e.entryType==="tool_call"&&
e.data.status==="error"&&e.endSeq!==void 0&&s.push({seq:e.endSeq,kind:"failed",words:`${e.data.toolName} fails`});return t.end!==void 0&&s.push({seq:t.seq,kind:t.
end.reason==="error"?"failed":"end",words:"the session ends"}),s.sort((e,r)=>e.seq-r.seq)}function E(t,s,e){return e>0?t.find(r=>r.seq>s):t.findLast(r=>r.seq<s)}
var R={failed:3,request:2,compaction:1,end:1,turn:0};function K(t,s,e){let r=new Map;for(let o of t){let d=s<=1?0:Math.round((o.seq-1)/(s-1)*e),u=r.get(d);(u===
void 0||R[o.kind]>R[u.kind])&&r.set(d,o)}return[...r].map(([o,d])=>({part:o/e,mark:d}))}var V=3e3,y=class extends Error{constructor(){super("The daemon does not answer, and this browser has not kept the whole log up to there.")}};async function U(t,s,e,r){
let o=Y(),d=t.questions.put({type:"past",id:s,at:e},a=>o.resolve(a.type==="past"&&a.state!==void 0?L(a.state):void 0)),u=setTimeout(()=>o.resolve(void 0),V),w=()=>o.
reject(r.reason);r.addEventListener("abort",w);try{return await o.promise??await t.client.session(s).state({at:e,signal:r})}catch(a){throw a instanceof Error&&a.
name==="Unreachable"?new y:a}finally{clearTimeout(u),r.removeEventListener("abort",w),d()}}function Y(){let t={};return{promise:new Promise((e,r)=>Object.assign(
t,{resolve:e,reject:r})),...t}}function _({session:t}){let s=p(!0),{openRequests:e,state:r}=t.fold;return n(B,{session:t,isAtEnd:s,tail:n($,{children:[r.entries.length===0&&r.turns.length===0?
n("p",{class:"empty",children:"Nothing had been said yet."}):null,e.map(o=>n("section",{class:"request past","aria-label":"What was asked",children:[n("h3",{dir:"\
auto",children:o.kind==="approval"?n($,{children:[n("span",{class:"asks",children:"wanted"})," ",f([o.toolName,o.toolKind==="execute"?"":o.subject].filter(Boolean).
join(" "))]}):f(o.title)}),n(W,{request:o,call:t.fold.entry(o.entryId??"")}),n("p",{class:"note",children:"It was open at this time."})]},o.requestId)),r.queue.
length===0?null:n("section",{class:"then-queue",children:[n("h3",{children:"Waiting then"}),n("ol",{children:r.queue.map(o=>n("li",{dir:"auto",children:f(o.text.
split(`
`)[0]??"")},o.promptId))})]}),r.end===void 0?null:n("p",{class:"mark",children:"The session had ended."})]})})}var Z=120,ee=1500;function ge({session:t,here:s}){let e=X(),r=t.fold.state.seq,o=Math.max(t.seq.value,r,1),d=oe(s.at,t.fold.cursor),u=d?.epoch??t.fold.cursor.epoch,
w=g(()=>Math.max(1,r),[t,d===void 0,u]),a=Math.min(d?.seq??w,o),M=p(void 0),q=p(""),l=p(!1),b=p(""),T=p(!1),z=T.value&&e.link.value==="live",G=t.head.value,v=g(
()=>D(t.fold.state),[t,G]),H=g(()=>K(v,o,200),[v,o]),m=i=>{b.value="",J({id:s.id,part:"time",at:P({epoch:t.fold.cursor.epoch,seq:Math.max(1,Math.min(o,i))})},!0)};
C(()=>{let i=new AbortController,S=setTimeout(()=>{U(e,t.id,{epoch:u,seq:a},i.signal).then(k=>{let I=new A(t.id,k.seq);I.begin(k,{epoch:k.epoch,seq:k.seq},!0),M.
value=I,q.value="",T.value=!1},k=>{i.signal.aborted||(q.value=j(k),T.value=k instanceof y,l.value=!1)})},M.peek()===void 0?0:Z);return()=>{clearTimeout(S),i.abort()}},
[t,u,a,z]);let h=E(v,a,1),F=E(v,a,-1);C(()=>{if(!l.value)return;if(h===void 0){l.value=!1;return}let i=setTimeout(()=>m(h.seq),ee);return()=>clearTimeout(i)},[l.
value,a,h?.seq]);let c=M.value,Q=c!==void 0&&c.fold.state.seq===a,x=v.find(i=>i.seq===a);return n("div",{class:"part time",children:[n("div",{class:"slider",children:[
n("div",{class:"ticks","aria-hidden":"true",children:H.map(({part:i,mark:S})=>n("span",{class:`tick tick-${S.kind}`,style:{left:`${i*100}%`}},S.seq))}),n("input",
{type:"range",min:1,max:o,value:a,"aria-label":"Place in the log","aria-valuetext":`event ${a} of ${o}${x===void 0?"":`, ${x.words}`}`,onInput:i=>{l.value=!1,m(
Number(i.currentTarget.value))}}),n("div",{class:"part-bar",children:[n("button",{type:"button",class:"small",disabled:F===void 0,onClick:()=>m(F.seq),children:"\
← Mark"}),n("button",{type:"button",class:"small","aria-label":"−1 event",disabled:a<=1,onClick:()=>m(a-1),children:"−1"}),n("button",{type:"button",class:"\
small","aria-label":"+1 event",disabled:a>=o,onClick:()=>m(a+1),children:"+1"}),n("button",{type:"button",class:"small",disabled:h===void 0,onClick:()=>m(h.seq),
children:"Mark →"}),n("button",{type:"button",class:"small","aria-pressed":l.value,disabled:h===void 0,onClick:()=>{l.value=!l.peek()},children:l.value?"Pause":
"Play"}),n("span",{class:"note grows",role:"status",children:Q?[`event ${a} of ${o}`,new Date(c.fold.state.ts).toLocaleString(),N(c.fold.state.status?.state??"",
f(c.fold.state.status?.toolName??"")),x?.words??""].filter(i=>i!=="").map(f).join(" · "):`event ${a} of ${o}…`}),n("button",{type:"button",class:"small",onClick:()=>{
m(a),navigator.clipboard.writeText(location.href).then(()=>{b.value="copied"},()=>{b.value="The address has it."})},children:b.value===""?"Copy a link":b.value})]}),
n(ne,{marks:v})]}),q.value===""?null:n("p",{class:"error",role:"alert",children:f(q.value)}),c===void 0?q.value===""?n("p",{class:"empty",role:"status",children:"\
Asking for the state…"}):null:n(_,{session:c},c.fold.state.seq)]})}var te=[["turn","turns"],["request","requests"],["failed","failures"],["compaction","compac\
tions"]];function ne({marks:t}){return n("p",{class:"legend",children:te.filter(([s])=>t.some(e=>e.kind===s)).map(([s,e])=>n("span",{class:`key-${s}`,children:e},
s))})}function oe(t,s){try{let e=t===void 0?void 0:O(t);return e===void 0||e.seq<1?void 0:{epoch:e.epoch||s.epoch,seq:e.seq}}catch{return}}export{ge as Time};
