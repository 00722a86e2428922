/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
var m=["needs","failed","working","ready","idle","ended"],b={needs:"Needs you",failed:"Failed",working:"Working",ready:"Ready",idle:"Idle",ended:"Ended"};function g(o,u,a){
let{state:n}=o.status;return u||n==="awaiting_approval"||n==="awaiting_input"?"needs":n==="failed"||n==="idle"&&w(o.lastTurn)?"failed":n==="completed"||n==="ter\
minated"?"ended":n==="idle"?o.turns>0&&o.seq>(a??0)?"ready":"idle":"working"}function w(o){return o!==void 0&&(o.status==="error"||o.cause==="lost")}function y(o){
return o.title||o.firstPrompt||"Without a title"}function S(o,u,a,n){let d=new Map([...o].map(e=>[e.id,e])),f=e=>{for(let t=0;t<16;t++){let r=e.subAgent||e.spawned?
d.get(e.parentSessionId??""):void 0;if(r===void 0)break;e=r}return e},i=new Map;for(let e of d.values()){let t=f(e),r=i.get(t.id)??{session:t,group:"idle",requests:[],
below:[]};i.set(t.id,r),e!==t&&r.below.push(e)}for(let e of u){let t=d.get(e.sessionId);t!==void 0&&i.get(f(t).id)?.requests.push(e)}let c=n.toLowerCase().split(
/\s+/).filter(e=>e!==""),p=new Map(m.map(e=>[e,[]]));for(let e of i.values()){let t=e.session;e.group=g(t,e.requests.length>0,a[t.id]);let r=[y(t),t.agent,t.cwd,
t.id,t.model??"",...Object.entries(t.labels??{}).flat()].join(" ").toLowerCase();c.every(s=>r.includes(s))&&p.get(e.group).push(e)}for(let[e,t]of p)t.sort(e==="\
needs"?(r,s)=>l(r)-l(s):(r,s)=>Date.parse(s.session.updatedAt)-Date.parse(r.session.updatedAt));return p}function l(o){return Date.parse(o.requests[0]?.openedAt??
o.session.updatedAt)}export{m as a,b,g as c,w as d,y as e,S as f};
