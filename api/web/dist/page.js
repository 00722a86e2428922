/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as Ve,c as je,d as Ye,e as Ze,f as et,g as Ee,h as tt,i as Q,j as Re,k as ot,l as lt,m as ut,n as ht,o as vt,p as D,q as yt}from"./part-IRDD22HI.js";
import{a as ie,b as it,c as rt,d as at}from"./part-TGA47FIY.js";import{a as pt,b as mt,d as ft,e as R,f as gt}from"./part-UCHGSOGL.js";import{a as re,
b as K,d as ae,h as dt}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";import"./part-LRED2DU6.js";import{a as ct,b as H,c as T}from"./part-S5T474SM.js";
import{a as O,b as V,e as nt,f as se,g as j,h as _,i as st,j as oe,k as p}from"./part-LMNZKLVE.js";import{b as $,d as Y,e as E}from"./part-QM4WH6KA.js";
import{a as S,c as _e,f as b,g as Ge,h as x,i as M,k as Ue,l as ze,m as k,n as qe,o as f,p as Qe,q as F,r as n}from"./part-WMXWHT22.js";var wt="#login=",le=location.hash.startsWith(wt)?location.hash.slice(wt.length):"";le!==""&&history.replaceState(null,"",location.pathname+location.search);function bt(){
return le!==""}function ue(){let t=le;return le="",t}var kt=document.documentElement.dataset.arrived==="elsewhere";var On="ringmaster.drafts",Ie="images";function Cn(){return new Promise((t,e)=>{let s=indexedDB.open(On,1);s.onupgradeneeded=()=>s.result.createObjectStore(Ie),
s.onsuccess=()=>t(s.result),s.onerror=()=>e(s.error??new Error("no database"))})}async function St(t,e){let s=await Cn();try{return await new Promise((o,i)=>{let r=s.
transaction(Ie,t),l=e(r.objectStore(Ie));r.oncomplete=()=>o(l.result),r.onabort=()=>i(r.error??new Error("not stored"))})}finally{s.close()}}function $e(t,e){return St(
"readwrite",s=>e.length===0?s.delete(t):s.put([...e],t)).then(()=>!0,()=>!1)}function xt(t){return St("readonly",e=>e.get(t)).then(e=>e??[],()=>[])}var X={count:8,bytes:10485760,body:41943040,pixels:52428800},Tt="image/png,image/jpeg,image/gif,image/webp";function An(t){let e=(s,...o)=>o.every((i,r)=>t[s+r]===
i);return e(0,137,80,78,71,13,10,26,10)?"image/png":e(0,255,216,255)?"image/jpeg":e(0,71,73,70,56)?"image/gif":e(0,82,73,70,70)&&e(8,87,69,66,80)?"image/webp":void 0}
function Fn(t,e,s){let o=e.name===""?"The image":`“${e.name}”`;if(s===void 0)return`${o} is no PNG, JPEG, GIF or WebP.`;if(t.length>=X.count)return`A prompt\
 takes ${X.count} images.`;if(e.size>X.bytes)return`${o} has ${de(e.size)} MiB; one image may have ${de(X.bytes)}.`;let i=t.reduce((r,l)=>r+l.blob.size,e.size);
return Math.ceil(i/3)*4>X.body-(1<<20)?`With ${o} the images have ${de(i)} MiB; all of a prompt may have ${de((X.body-(1<<20))/4*3)}.`:""}function de(t){return(t/
(1<<20)).toFixed(t%(1<<20)===0?0:1)}function Pt(t){return Promise.all(t.map(async e=>({file:e,type:An(new Uint8Array(await e.slice(0,16).arrayBuffer()))})))}function qt(t,e){
let s=[...t],o="";for(let{file:i,type:r}of e){let l=Fn(s,i,r);l!==""||r===void 0?o||=l:s.push({name:i.name,type:r,blob:i.slice(0,i.size,r)})}return{pictures:s,why:o}}
function Et(t){return new Promise((e,s)=>{let o=new FileReader;o.onload=()=>e(o.result.replace(/^[^,]*,/,"")),o.onerror=()=>s(o.error??new Error("the image cann\
ot be read")),o.readAsDataURL(t)})}var Ln=5e3,ce=t=>`ringmaster.draft.${t}`,pe=()=>({text:"",pictures:[],key:Z(),isSending:!1,isReading:!1,error:"",wasSent:!1}),me=class{#t=new Map;constructor(){
addEventListener("storage",({key:e})=>{for(let[s,o]of this.#t)(e===null||e===ce(s))&&!o.peek().isSending&&this.#n(s,o)})}gone(e){this.#e(e,this.of(e)),this.#t.delete(
e)}#e(e,s){(s.peek().isReading||s.peek().pictures.length>0)&&$e(e,[]),s.value=pe(),It(e,s.peek())}forget(){this.#t.clear()}of(e){let s=this.#t.get(e);return s===
void 0&&(this.#t.set(e,s=k(pe())),this.#n(e,s)),s}#n(e,s){let o=Rt(e);s.value=o,o.isReading&&xt(e).then(i=>{s.peek()===o&&(s.value={...o,pictures:i,isReading:!1,
...i.length===0?{key:Z()}:{}})})}write(e,s){this.#s(e,{text:s})}async attach(e,s){let o=await Pt(s),i=this.of(e).peek().pictures,{pictures:r,why:l}=qt(i,o);this.#s(
e,r.length===i.length?{}:{pictures:r},l)}detach(e,s,o=""){this.#s(e,{pictures:this.of(e).peek().pictures.filter(i=>i!==s)},o)}#s(e,s,o=""){let i=this.of(e),r=i.
peek();if(r.isSending||r.isReading)return;let l=s.text!==void 0&&s.text!==r.text||s.pictures!==void 0,a=r.wasSent&&l;i.value={...r,...s,key:a?Z():r.key,wasSent:r.
wasSent&&!a,error:o},It(e,i.peek()),s.pictures!==void 0&&$e(e,s.pictures)}async send(e,s,o){let i=this.of(s),r=i.peek(),{text:l,key:a,pictures:c}=r;if(!(r.isSending||
r.isReading||l.trim()===""&&c.length===0)){i.value={...r,isSending:!0,wasSent:!0,error:""};try{let u=await Promise.all(c.map(async d=>({mediaType:d.type,data:await Et(
d.blob)}))),{repeated:m}=await e.prompt(s,{...l===""?{}:{text:l},...u.length===0?{}:{images:u},...o===void 0?{}:{streamingBehavior:o}},{key:a});m?this.taken(s,a):
setTimeout(()=>this.taken(s,a),Ln)}catch(u){if(i.peek().key===a){let m=u instanceof tt?"The daemon does not answer. The draft is kept here; sent again, it is on\
e prompt.":O(u);i.value={...i.peek(),isSending:!1,error:m}}}}}taken(e,s){let o=this.of(e);s===o.peek().key&&(Rt(e).key===s?this.#e(e,o):this.#n(e,o))}};function Z(){
return`page-${crypto.getRandomValues(new Uint32Array(4)).reduce((t,e)=>t+e.toString(16).padStart(8,"0"),"")}`}function Rt(t){try{let{text:e,key:s,pictures:o}=JSON.
parse(localStorage.getItem(ce(t))??"{}");if(typeof e=="string"&&typeof s=="string")return{...pe(),text:e,key:s,isReading:typeof o=="number"&&o>0,wasSent:!0}}catch{}
return pe()}function It(t,{text:e,key:s,pictures:o}){try{e===""&&o.length===0?localStorage.removeItem(ce(t)):localStorage.setItem(ce(t),JSON.stringify({text:e,key:s,
...o.length===0?{}:{pictures:o.length}}))}catch{}}function $t(t,e){return t.seq===0||e.seq===0?t.seq<e.seq:t.epoch<e.epoch||t.epoch===e.epoch&&t.seq<e.seq}var Mn=400,fe=class{requests=k([]);sending=k(new Map);failed=k(new Map);isRead=k(!1);total=k(0);#t;#e=new AbortController;#n=new Map;#s="rest";constructor(e){this.#t=
e}has(e){return this.requests.peek().some(s=>s.sessionId===e)}look(){this.#s==="rest"?this.#o():this.#s="again"}async#o(){do{this.#s="reading";try{let{requests:e,
total:s}=await this.#t.inbox({signal:this.#e.signal,limit:200});this.requests.value=e,this.total.value=s,this.isRead.value=!0,this.#a(new Set(e.map(L)))}catch{break}}while(this.#s===
"again");this.#s="rest"}#a(e){for(let s of[this.sending,this.failed]){let o=[...s.peek()].filter(([i])=>e.has(i));o.length<s.peek().size&&(s.value=new Map(o))}for(let s of this.#n.
keys())e.has(s)||this.#n.delete(s)}async answer(e,s,o,i){let r=`${e}/${s}`;if(!this.sending.peek().has(r)){this.sending.value=new Map(this.sending.peek()).set(r,
i),this.#i(r,void 0);try{await this.#t.session(e).answer(s,o,{signal:this.#e.signal})}catch(l){let a=new Map(this.sending.peek());a.delete(r),this.sending.value=
a,this.#i(r,O(l))}this.look()}}#i(e,s){let o=new Map(this.failed.peek());(s===void 0?o.delete(e):o.set(e,s))&&(this.failed.value=o)}call(e){if(e.request.diff!==
void 0)return Promise.resolve(void 0);let s=L(e),o=this.#n.get(s);if(o===void 0){let i=this.#l(e).catch(()=>{this.#n.delete(s)});this.#n.set(s,o=i)}return o}async#l(e){
let s=je(e.cursor),o=new et;for await(let{event:i}of this.#t.log(e.sessionId,{since:{epoch:s.epoch,seq:Math.max(0,s.seq-Mn)},signal:this.#e.signal}))if(o.apply(
i),i.seq>=s.seq)break;return o.entry(e.request.entryId??"")}close(){this.#e.abort()}};function L(t){return`${t.sessionId}/${t.request.requestId}`}var ge="ringmaster-";var Oe="ringmaster.budget",Ce=512<<20;async function Ot(t){if(globalThis.crypto?.subtle===void 0)return"";let e=await crypto.subtle.digest("SHA-256",new TextEncoder().
encode(`ringmaster principal ${t}`));return[...new Uint8Array(e).subarray(0,16)].map(s=>s.toString(16).padStart(2,"0")).join("")}var Ct={createScriptURL:t=>{if(t!=="/sw.js"&&!/^\/assets\/[0-9a-f]{16}-worker\.js$/.test(t))throw new TypeError("this is no worker of this page");return t}},Dn=globalThis.
trustedTypes,he=Dn?.createPolicy("ringmaster",Ct)??Ct;var Jn=3e3,ve=class{#t;#e=!1;#n=()=>{};constructor(e,s,o){let i=document.body.dataset.worker??"";try{this.#t=new Worker(he.createScriptURL(i))}catch{queueMicrotask(
o);return}this.#t.onerror=()=>o(),this.#t.onmessage=({data:r})=>{if(r==="closed"){this.#n();return}if(!this.#e)try{r.told.forEach(s)}finally{this.ask({type:"tak\
en",n:r.n})}},Ot(e).then(r=>this.#s({type:"begin",token:e,principal:r,build:i,budget:Ae()}))}ask(e){this.#e||this.#s(e)}async close(){if(this.#e=!0,this.#t===void 0)
return;let e=new Promise(o=>setTimeout(o,Jn)),s=new Promise(o=>this.#n=o);this.#s({type:"close"}),await Promise.race([s,e]),this.#t.terminate()}#s(e){this.#t?.postMessage(
e)}};function Ae(){try{let t=Number(localStorage.getItem(Oe));return Number.isSafeInteger(t)&&t>0?t:Ce}catch{return Ce}}function At(t){try{localStorage.setItem(
Oe,String(t))}catch{}}var ye=class{#t;#e=new Map;#n=0;constructor(e){this.#t=e}put(e,s,o=()=>{}){let i=++this.#n;return this.#e.set(i,{put:e,take:s,begin:o}),o(),this.#t({...e,n:i}),
()=>{this.#e.delete(i)&&this.#t({type:"drop",n:i})}}take(e){let s=this.#e.get(e.n);(e.type==="past"||e.progress.stage!=="goes on")&&this.#e.delete(e.n),s?.take(
e)}again(){for(let[e,{put:s,begin:o}]of this.#e)o(),this.#t({...s,n:e})}};var Wn=4,Nn=100,Xn=200,we=class{client;link=k("connecting");role=k("waits");keeps=k("memory");listAsOf=k(0);sessions=k(new Map);isListed=k(!1);agents=k(new Map);inbox;onGone=()=>{};questions=new ye(
e=>this.#t.ask(e));#t;#e=new Map;#n=new WeakSet;#s=!1;#o=new Map;#a;#i=()=>this.#t.ask({type:"wake"});#l=Re(()=>setTimeout(()=>this.#r(),Xn));#u=Re(()=>this.sessions.
value=new Map(this.#e));constructor(e,s,o){this.#a=o,this.client=new Q({base:location.origin,token:e,name:s}),this.inbox=new fe(this.client),this.#t=new ve(e,i=>this.#c(
i),()=>o("This page cannot start its worker. Load it again to go on.",!1)),this.#d(),addEventListener("online",this.#i),addEventListener("pageshow",this.#i),document.
addEventListener("visibilitychange",this.#i)}#d(){this.client.agents().then(({agents:e})=>{this.agents.value=new Map(e.map(s=>[s.name,s]))},()=>{})}follow(e){let s=this.#o.
get(e),o=s??new ot(e,this.#e.get(e)?.seq??1);this.#o.delete(e),this.#o.set(e,o);let i=[...this.#o.keys()].slice(0,-Wn);return i.forEach(r=>this.#o.delete(r)),(s===
void 0||i.length>0)&&this.#r(),o}show(e){for(let s of e){let o=this.#o.get(s);o!==void 0&&(this.#o.delete(s),this.#o.set(s,o))}}async close(){removeEventListener(
"online",this.#i),removeEventListener("pageshow",this.#i),document.removeEventListener("visibilitychange",this.#i),this.inbox.close(),await this.#t.close()}#r(e){
let s=[...this.#o.values()].filter(o=>o!==e);this.#t.ask({type:"want",at:Object.fromEntries(s.map(o=>[o.id,o.at??null]))})}#c(e){switch(e.type){case"source":return this.
role.value=e.role,this.#r(),this.questions.again();case"found":case"past":return this.questions.take(e);case"keeps":this.keeps.value=e.keeps;return;case"link":return this.#g(
e.link,e.since);case"refused":return this.link.value="away",this.#a(e.isOver?"This login is over.":`${e.why} Load this page again to go on.`,e.isOver);case"rost\
er":return this.#h(e.sessions,e.asOf);case"session":return this.#v(e.session);case"gone":return this.#e.delete(e.id),this.#u(),this.onGone(e.id),this.inbox.look();default:{
let s=this.#o.get(e.id);return s===void 0?void 0:this.#p(s,e)}}}#p(e,s){switch(s.type){case"state":return this.#m(e,s.at,s.state);case"lines":e.take(s.epoch,s.from,
s.lines.map(Bn))||(this.#r(e),this.#r());return;case"overflow":return e.flow(s.overflow);case"reset":(e.at===void 0||!$t(s.at,e.at))&&(e.reset(),this.#n.add(e));
return;case"ask":setTimeout(()=>{this.#f(e)},this.#n.delete(e)?Nn:0);return;case"none":if(e.at!==void 0)return;e.trouble.value="The daemon does not answer, and \
this browser has kept nothing of this session.",e.isWhole.value=!0;return;case"notice":e.trouble.value=Kn[s.notice]??e.trouble.value,e.isWhole.value||=s.notice===
"damaged"}}#m(e,s,o){e.isBefore(s)&&(e.begin(Ze(o),s,this.link.peek()==="away"),this.#l())}async#f(e){if(e.isAsking||this.isListed.peek()&&!this.#e.has(e.id))return;
e.isAsking=!0;let s=await lt(this.client.session(e.id)).catch(o=>o instanceof Error&&o.name==="Unreachable"?"away":void 0);if(e.isAsking=!1,!(this.#o.get(e.id)!==
e||s==="away")){if(s===void 0||s.damage!==void 0)e.at??={epoch:1,seq:0};else if(e.isBefore(s))return e.begin(s,{epoch:s.epoch,seq:s.seq},!0),e.trouble.value=ut(
s),this.#l();this.#r()}}#g(e,s=Date.now()){this.link.value=e,this.#s&&(e==="live"||e==="away"&&this.listAsOf.peek()===0)&&(this.listAsOf.value=e==="live"?0:s),e===
"live"&&(this.inbox.look(),this.agents.peek().size===0&&this.#d(),[...this.#o.values()].some(o=>o.at===void 0)&&this.#r())}#h(e,s){if(s!==void 0&&this.#s)return;
this.#s=s===void 0;let o=[...this.#e.keys()];this.#e=new Map(e.map(i=>[i.id,i])),ze(()=>{this.listAsOf.value=s??0,this.isListed.value=!0,this.sessions.value=new Map(
this.#e)}),s===void 0&&(o.filter(i=>!this.#e.has(i)).forEach(i=>this.onGone(i)),rt(new Set(this.#e.keys())),this.inbox.look())}#v(e){let s=this.#e.get(e.id);this.#e.
set(e.id,e),this.#u(),this.isListed.peek()&&(Ft(e)||s!==void 0&&Ft(s)||this.inbox.has(e.id))&&this.inbox.look()}};function Ft(t){return t.status.state==="awaiti\
ng_approval"||t.status.state==="awaiting_input"}function Bn(t){try{return Ye(t)}catch(e){if(e instanceof Ve)return;throw e}}var Kn={unavailable:"The daemon cann\
ot give this log now; it is asked again.",damaged:"This log is damaged on the daemon’s disk: what you see ends early.",uncached:"This browser has no room for \
this session: offline it is not there."};var be="ringmaster.login",I=k(Fe());function P(){return I.value?.scope.endsWith(":ro")!==!0}function ee(t){I.value=t;try{t===null?localStorage.removeItem(be):localStorage.
setItem(be,JSON.stringify(t))}catch{}}function Fe(){try{let t=JSON.parse(localStorage.getItem(be)??"null");return typeof t?.token=="string"?t:null}catch{return null}}
function Lt(t){let e=Fe();e!==null&&e.token!==t?I.value=e:ee(null)}addEventListener("storage",t=>{t.key===be&&(I.value=Fe())});var Le="ringmaster",Hn=60,_n=100;async function G(){for(let t=1;;t++){if(await Gn())return!0;if(t===Hn)return!1;await new Promise(e=>setTimeout(e,_n))}}async function Gn(){
let t;try{t=await navigator.storage.getDirectory()}catch{return!0}let e=!0;try{let s=[];for await(let{name:o}of t.values())s.push(o);for(let o of s.filter(i=>i.
startsWith(ge)))await t.removeEntry(o,{recursive:!0})}catch{e=!1}return e}async function Mt(){try{for(let s of[localStorage,sessionStorage])for(let o of Object.
keys(s).filter(i=>i.startsWith(Le)))s.removeItem(o)}catch{}let t=await G(),e=await Promise.allSettled([Un(),zn()]);return t&&e.every(({status:s})=>s==="fulfille\
d")?"":"Something is left: another tab of this page still uses it. Close the other tabs and load this one again."}async function Un(){let t=await globalThis.indexedDB?.
databases?.()??[];for(let{name:e}of t.filter(s=>s.name?.startsWith(Le)))await new Promise((s,o)=>{let i=indexedDB.deleteDatabase(e);i.onsuccess=()=>s(),i.onerror=
i.onblocked=()=>o(new Error("in use"))})}async function zn(){for(let t of await navigator.serviceWorker?.getRegistrations()??[])await t.unregister();for(let t of await globalThis.
caches?.keys()??[])t.startsWith(Le)&&await caches.delete(t)}var Qn=[["Edg","Edge"],["OPR/","Opera"],["Firefox/","Firefox"],["Chrome/","Chrome"],["Safari/","Safari"]],Vn=[["Android","Android"],["iPhone","iPhone"],["iPad",
"iPad"],["Mac OS","macOS"],["Windows","Windows"],["Linux","Linux"]];function Dt(t){let e=Qn.find(([o])=>t.includes(o))?.[1]??"A browser",s=Vn.find(([o])=>t.includes(
o))?.[1];return s===void 0?e:`${e} on ${s}`}var jn=()=>new Q({base:location.origin}),Me=t=>new Q({base:location.origin,token:t});async function ke(){let t=I.peek();try{ee(await jn().login({code:ue(),name:Dt(
navigator.userAgent)}))}catch(e){return O(e)}return t!==null&&await Me(t.token).endLogin().catch(()=>{}),""}async function De(){let t=I.peek()?.token;if(ee(null),
t===void 0)return"";G();try{await Me(t).endLogin()}catch(e){if(!(e instanceof Ee&&e.status===401))return`This browser has forgotten its login, and the daemon ha\
s not: ${O(e)}`}return"You are logged out."}async function Jt(){let t=await De(),e=await Mt();return e!==""?e:t==="You are logged out."?"This browser has forgot\
ten everything.":t}async function Wt(t){try{await Me(t).sessions({limit:1})}catch(e){return e instanceof Ee&&e.status===401?"The daemon does not know this token\
. It may have expired, or been revoked.":O(e)}return ee({token:t,id:"",name:"a pasted token",scope:""}),""}function Nt(){navigator.serviceWorker?.register(he.createScriptURL("/sw.js"),{updateViaCache:"none"}).catch(()=>{})}function Xt(t,e){let s=[];for(let o of e){let i=t.get(o.id);if(i===void 0||o.subAgent===!0)continue;let r=o.lastTurn;if(o.status.state==="failed"&&i.state!=="fa\
iled")s.push({tag:`end/${o.id}`,session:o.id,words:"The session has failed."});else if(r!==void 0&&r.turnId!==i.turnId&&r.cause!=="user"){let l=r.status==="erro\
r"||r.cause==="lost";s.push({tag:`turn/${o.id}/${r.turnId}`,session:o.id,words:l?"A turn has failed.":r.status==="interrupted"?"A turn was interrupted.":"A turn\
 has ended."})}}return s}function Bt(t){return new Map([...t].map(e=>[e.id,{turnId:e.lastTurn?.turnId,state:e.status.state}]))}var Kt="ringmaster.notices",B=k(Ht());function Ht(){if(!("Notification"in globalThis)||Notification.permission==="denied")return"unable";try{return Notification.
permission==="granted"&&localStorage.getItem(Kt)==="yes"?"on":"off"}catch{return"off"}}async function _t(){let t=B.peek()==="off";t&&Notification.permission!=="\
granted"&&await Notification.requestPermission();try{localStorage.setItem(Kt,t?"yes":"no")}catch{}let e=Ht();B.value=e==="unable"?e:t&&Notification.permission===
"granted"?"on":"off"}function Yn(t,e){try{return new Notification(t,e)}catch{B.value="unable";return}}function Gt(t){let e,s,o=(r,l,a,c)=>{if(B.peek()!=="on"||document.
visibilityState==="visible"&&document.hasFocus())return;let u=t.sessions.peek().get(r),m=Yn(p(R(u??{})).slice(0,80),{body:[a,u?.agent??""].filter(d=>d!=="").map(
p).join(" "),tag:l,icon:document.querySelector("link[rel=icon]")?.href??""});m!==void 0&&(m.onclick=()=>{window.focus(),E(c?{view:"inbox"}:{view:"session",id:r}),
m.close()})},i=[qe(()=>{let r=[...t.sessions.value.values()];if(!(!t.isListed.value||e===void 0&&t.listAsOf.value!==0)){for(let l of e===void 0?[]:Xt(e,r))o(l.session,
l.tag,l.words,!1);e=Bt(r)}}),qe(()=>{let r=t.inbox.requests.value;if(t.inbox.isRead.value){for(let l of s===void 0?[]:r.filter(a=>!s.has(L(a))))o(l.sessionId,`r\
equest/${L(l)}`,l.request.kind==="approval"?`It asks for an approval (${l.request.toolKind??"a tool"}).`:"It asks a question.",!0);s=new Set(r.map(L))}})];return()=>i.
forEach(r=>r())}async function Ut(){let t={sessions:0,bytes:0},e=async(s,o)=>{for await(let i of s.values())i.kind==="file"?(t.bytes+=(await i.getFile()).size,t.sessions+=i.name.
endsWith(".index")?1:0):(o>0||i.name.startsWith(ge))&&await e(i,o+1)};try{await e(await navigator.storage.getDirectory(),0)}catch{}return t}var Zn=[64,128,256,512,1024,2048].map(t=>t<<20),es={waits:"This tab looks for the others.",leads:"This tab reads the daemon’s one stream, for itself and for you\
r other tabs.",follows:"Another tab reads the daemon’s one stream, for this one too.",alone:"This tab has a stream of its own: the others do not answer, or th\
is browser cannot share one."};function Qt({close:t,forget:e}){let{keeps:s,role:o}=T(),i=f({sessions:0,bytes:-1}),r=x(null),l=f(!1),a=f(!1),c=f(Ae());b(()=>{r.current?.
showModal(),Ut().then(d=>{i.value=d})},[]);let{sessions:u,bytes:m}=i.value;return n("dialog",{ref:r,class:"new",id:"browser","aria-labelledby":"browser-title",onClose:t,
children:[n("h2",{id:"browser-title",children:"This browser"}),n("form",{method:"dialog",children:[s.value==="disk"?n("p",{children:["It keeps what was read, so\
 that it opens at once and without the daemon: now ",n("strong",{id:"kept-size",children:m<0?"…":zt(m)})," of ",u===1?"1 session":`${u} sessions`,". What was \
not read for longest goes first."]}):n("p",{id:"keeps-nothing",children:"It keeps nothing here: it has no file system for this page, or another tab holds it. Wh\
at was read goes when the page is closed."}),o.value==="alone"||s.value==="disk"?n("p",{class:"note",children:es[o.value]}):null,n("label",{children:["At most",
n("select",{id:"budget",value:String(c.value),onChange:d=>{c.value=Number(d.currentTarget.value),At(c.value)},children:[...new Set([...Zn,c.value])].sort((d,v)=>d-
v).map(d=>n("option",{value:String(d),children:zt(d)},d))})]}),n("p",{class:"note",children:"Another limit counts when all tabs of this page have been loaded ag\
ain."}),l.value?n("div",{class:"request-row",children:n("button",{type:"button",class:"stop",id:"forget-yes",disabled:a.value,onClick:()=>{a.value=!0,e()},children:a.
value?"Forgetting…":"Forget everything and log out"})}):n("div",{class:"request-row",children:n("button",{type:"button",id:"forget",onClick:()=>{l.value=!0},children:"\
Forget this browser…"})}),n("p",{class:"note",children:"That takes away the login, what was read, drafts and what was seen, in all tabs. The sessions themselv\
es stay with the daemon."}),n("button",{class:"primary",children:"Close"})]})]})}function zt(t){return t>=1<<30?`${t/(1<<30)} GiB`:t>=1<<20?`${Math.round(t/(1<<
20))} MiB`:t>=1024?`${Math.round(t/1024)} KiB`:`${t} bytes`}function te(){let t=document.querySelector(".pane.focused");(t?.querySelector(".log")??t)?.focus({preventScroll:!0})}var J=()=>$.value.view==="session",Vt=()=>J()&&P(),Je=()=>$.value.view==="session"&&$.value.beside!==void 0,U=t=>()=>{let e=$.peek();if(e.view==="session"){let{
entry:s,at:o,...i}=e;E({...i,part:t})}},Se=[{keys:".",words:"everything that can be done or gone to",does:({palette:t})=>t("all")},{keys:"a",words:"the next req\
uest that needs you",does:({feed:t})=>ss(t),command:"Next request that needs you",when:({feed:t})=>t.inbox.total.value>0},{keys:"y",words:"allow once: the reque\
st that has the focus"},{keys:"n",words:"deny: the request that has the focus"},{keys:"j k",words:"down and up, in the list or among requests"},{keys:"enter",words:"\
open what has the focus"},{keys:"p",words:"write to the session that is shown",does:()=>ne("[data-composer]")?.focus(),command:"Write to this session",when:Vt},
{keys:"f",words:"find in what was said there",does:()=>ne(".find-open")?.click(),command:"Find in this session",when:J},{keys:"shift f",words:"search what was s\
aid in all sessions that this browser keeps",does:({palette:t})=>t("said"),command:"Search what was said in all sessions"},{keys:"s",words:"its settings: name, \
model, approvals, end",does:()=>ne(".head .settings")?.click(),command:"Settings of this session: name, model, approvals, end, delete",when:Vt},{keys:"b",words:"\
another session beside it",does:({palette:t})=>{J()&&t("beside")},command:"Show another session beside this one",when:J},{keys:"h l",words:"the session to the l\
eft and to the right, where several are shown"},{keys:"q",words:"close the one that has the keys",does:()=>{let t=$.peek();Je()&&t.view==="session"&&(E(ae(t,K(t))),
requestAnimationFrame(te))},command:"Close this pane",when:Je},{keys:"shift x",words:"interrupt the session that is shown",does:()=>ne(".head .stop")?.click(),command:"\
Interrupt this session",when:()=>J()&&ne(".head .stop")!==void 0},{keys:"c",words:"begin a session",does:({begin:t})=>t(),command:"New session",when:P},{keys:"/",
words:"filter the list; enter there searches what was said",command:"Filter the list of sessions",does:({filter:t})=>{t()?.offsetParent===null&&E({view:"home"}),
requestAnimationFrame(()=>t()?.focus())}},{keys:"g i",words:"everything that is asked",does:()=>E({view:"inbox"}),command:"Inbox: everything that is asked"},{keys:"\
g r",words:"the list of sessions",does:()=>E({view:"home"}),command:"List of sessions"},{keys:"g s",words:"what was said",does:U("talk"),command:"Transcript of \
this session",when:J},{keys:"g d",words:"changes of files",does:U("changes"),command:"Changes: diffs by file",when:J},{keys:"g t",words:"the session as it was",
does:U("time"),command:"Time: the session as it was",when:J},{keys:"g u",words:"tokens and cost",does:U("usage"),command:"Usage: tokens and cost",when:J},{keys:"\
g n",words:"native lines",does:U("raw"),command:"Raw: native lines and events",when:J},{keys:"esc",words:"back",does:()=>{let t=$.peek();t.view==="session"&&t.part!==
void 0?U("talk")():t.view!=="home"&&E({view:"home"})}},{keys:"?",words:"these keys",does:({help:t})=>t(!0),command:"Keys"},{keys:"",words:"",does:()=>{let t=$.peek();
if(t.view==="session"){let{beside:e,pane:s,...o}=t;E(o)}},command:"Show this session alone",when:Je}],Zt=Se.filter(t=>t.keys!=="").map(t=>[t.keys,t.words]);function en(t){
return Se.filter(e=>e.command!==void 0&&e.does!==void 0&&(e.when?.(t)??!0)).map(e=>({id:e.command,name:e.command,note:e.keys,does:()=>requestAnimationFrame(()=>e.
does(t))}))}var ts={esc:"Escape","shift x":"X","shift f":"F"},tn=new Map(Se.filter(t=>t.does!==void 0&&t.keys!==""&&!t.keys.startsWith("g ")).map(t=>[ts[t.keys]??
t.keys,t.does])),ns=new Map(Se.filter(t=>t.keys.startsWith("g ")).map(t=>[t.keys.slice(2),t.does]));tn.set("j",()=>Yt(1)).set("k",()=>Yt(-1)).set("h",()=>jt(-1)).
set("l",()=>jt(1));function nn(t){let e=!1;return s=>{if(s.defaultPrevented||s.metaKey||s.ctrlKey||s.altKey||s.target instanceof Element&&s.target.closest("inpu\
t, textarea, select, [contenteditable]")!==null)return;let o=e;if(e=s.key==="g",t.isOpen()||document.querySelector("dialog[open]")!==null)return;let i=(o?ns:tn).
get(s.key);i!==void 0&&(s.preventDefault(),i(t))}}function ne(t){return document.querySelector(".pane.focused, .main > .session")?.querySelector(t)??void 0}function jt(t){
let e=$.peek(),s=e.view==="session"?re(e)[K(e)+t]:void 0;s!==void 0&&(E(s,!0),requestAnimationFrame(()=>setTimeout(te)))}function Yt(t){let e=document.querySelector(
".pane.focused")??document.querySelector(".main"),s=e?.contains(document.activeElement)===!0,o=[...e?.querySelectorAll("[data-request]")??[]],i=[...document.querySelectorAll(
"[data-row]")].filter(c=>c.offsetParent!==null),r=s&&o.length>0||i.length===0?o:i,l=r.findIndex(c=>c.contains(document.activeElement)),a=l<0?t>0?0:r.length-1:Math.
min(r.length-1,Math.max(0,l+t));sn(r[a])}function ss(t){let e=t.inbox.requests.peek().map(L);if(e.length===0)return;let s=document.activeElement?.closest("[data\
-request]")?.dataset.request,o=e[(e.indexOf(s??"")+1)%e.length];$.value.view==="session"?E({view:"inbox"}):(document.querySelector(We(o))===null||document.querySelector(
We(o)).offsetParent===null)&&E({view:"inbox"}),requestAnimationFrame(()=>setTimeout(()=>sn(document.querySelector(We(o)))))}function We(t){return`[data-request=\
"${CSS.escape(t)}"]`}function sn(t){t?.focus(),t?.scrollIntoView({block:"nearest"})}function on({close:t}){let e=x(null);return b(()=>e.current?.showModal(),[]),n("dialog",{ref:e,class:"help","aria-labelledby":"help-title",onClose:t,children:[n(
"h2",{id:"help-title",children:"Keys"}),n("dl",{children:Zt.map(([s,o])=>n("div",{children:[n("dt",{children:s.split(" ").map(i=>n("kbd",{children:i},i))}),n("d\
d",{children:o})]},s))}),n("form",{method:"dialog",children:n("button",{class:"primary",children:"Close"})})]})}var W=k(Date.now());setInterval(()=>{document.visibilityState==="visible"&&(W.value=Date.now())},1e3);document.addEventListener("visibilitychange",()=>W.value=Date.
now());var N={allow_once:{words:"Allow once",key:"y",class:"primary"},allow_always:{words:"Always allow",class:""},deny:{words:"Deny",key:"n",class:""},deny_stop:{words:"\
Deny and stop",class:"danger"}};function rn(t,e){return t==="allow_once"&&e===""||t==="deny"||t==="deny_stop"}function an(t){return[...Object.keys(N).filter(e=>t.
some(s=>s.id===e)),...t.map(e=>e.id).filter(e=>!(e in N))]}function ln(t,e){return Object.entries(N).find(([s,o])=>o.key===t&&e.some(i=>i.id===s))?.[0]}function un(t,e){
return!e&&!t.metaKey&&!t.ctrlKey&&!t.altKey&&!t.repeat&&(t.key==="y"||t.key==="n")}var os={ask:"asks about everything",allow_reads:"allows what only reads",allow_all:"allows everything",deny_all:"denies everything"};function dn(t,e){if(t.kind===
"question"||t.kind==="elicitation")return"The agent asks; no policy answers questions.";if(t.kind!=="approval")return"";if(t.guarded===!0)return"It reaches into\
 the daemon’s own folder, which no policy answers.";let s=e?.rules?.length??0;if(e===void 0||s===0&&e.mode===void 0)return"This session has no policy, so ever\
y approval is asked.";let o=e.mode===void 0?"":`The policy ${os[e.mode]??e.mode}`,i=s===0?"":`none of its ${s===1?"rules, one in all,":`${s} rules`} answers thi\
s`;return[o||"The policy has no mode",i].filter(r=>r!=="").join("; ")+(o===""||e.mode==="ask"?".":", and this is not covered.")}function cn(t,e){if(t.deadline===
void 0)return"";let s=Math.max(0,Math.ceil((t.deadline-e)/1e3)),o=s>=3600?`${Math.floor(s/3600)} h ${Math.floor(s%3600/60)} min`:`${Math.floor(s/60)}:${String(s%
60).padStart(2,"0")}`,i={allow:"allowed",deny:"denied",deny_stop:"denied, and the turn stopped"};return t.default===void 0?`The agent goes on without an answer \
in ${o}.`:`It is ${i[t.default]??t.default} in ${o}.`}function pn({request:t,unseen:e,pressed:s,answer:o}){let i=f(""),r=f(""),l=f(!1),a=t.options??[],c=d=>{let v=r.peek().trim();o({option:d,...v===""?{}:{message:v}},
N[d]?.words??d)},u=d=>{rn(d,e)?c(d):i.value=d};F(()=>{let d=s.value;if(d==="")return;s.value="";let v=ln(d,a);v!==void 0&&u(v)});let m=x(null);if(b(()=>{i.peek()===
"allow_once"&&(m.current?.closest("article")?.focus(),i.value="")},[e]),i.value!==""){let d=a.find(y=>y.id===i.value),v=i.value==="allow_once";return n("div",{class:"\
answers",role:"group","aria-label":v?"Allow what is not shown whole?":"Allow for always?",ref:m,children:[n("p",{class:"twice",children:v?e:p(d?.description??"T\
he agent will not ask again for the like of this.")}),n("button",{type:"button",class:"danger",onClick:()=>c(i.value),children:["Yes, ",p((N[i.value]?.words??d?.
label??i.value).toLowerCase())]}),n("button",{type:"button",ref:y=>y?.focus(),onClick:()=>{i.value=""},children:"Not yet"})]})}return n(S,{children:[l.value?n("\
label",{class:"message",children:["Message to the agent, with your answer",n("textarea",{rows:2,dir:"auto",ref:d=>{d!==null&&r.peek()===""&&d.focus()},value:r.value,
onInput:d=>{r.value=d.currentTarget.value}})]}):null,n("div",{class:"answers",role:"group","aria-label":"Answers",children:[an(a).map(d=>n("button",{type:"butto\
n",class:N[d]?.class??"",title:a.find(v=>v.id===d)?.description,onClick:()=>u(d),children:[N[d]?.words??p(a.find(v=>v.id===d)?.label??d),N[d]?.key===void 0?null:
n("kbd",{"aria-hidden":"true",children:N[d].key})]},d)),l.value?null:n("button",{type:"button",class:"quiet",onClick:()=>{l.value=!0},children:"Message…"})]})]})}function mn({request:t,answer:e}){let s=t.questions??[],o=f(s.map(()=>[])),i=f(s.map(u=>u.prefill??"")),r=s.map((u,m)=>[...o.value[m],...Ne(u)&&i.value[m].trim()!==
""?[i.value[m]]:[]]),l=r.every(u=>u.length>0),a=(u,m,d)=>{let v=o.peek()[u],y=d?v.includes(m)?v.filter(w=>w!==m):[...v,m]:[m];o.value=o.peek().map((w,q)=>q===u?
y:w),!d&&Ne(s[u])&&(i.value=i.peek().map((w,q)=>q===u?"":w))},c=(u,m)=>{i.value=i.peek().map((d,v)=>v===u?m:d),s[u].multiple!==!0&&m!==""&&(o.value=o.peek().map(
(d,v)=>v===u?[]:d))};return n("form",{class:"questions",onSubmit:u=>{u.preventDefault(),l&&e({answers:r},r.flat().join(", "))},children:[s.map((u,m)=>n(is,{question:u,
isOnly:s.length===1&&u.text===t.title,chosen:o.value[m],typed:i.value[m],choose:d=>a(m,d,u.multiple===!0),write:d=>c(m,d)},m)),n("div",{class:"answers",children:[
n("button",{type:"submit",class:"primary",disabled:!l,children:"Answer"}),n("button",{type:"button",class:"quiet",onClick:()=>e({outcome:"cancelled"},"no answer"),
children:"Dismiss"})]})]})}function Ne(t){return t.freeText===!0||(t.options??[]).length===0}function is({question:t,isOnly:e,chosen:s,typed:o,choose:i,write:r}){
let l=Ue();return n("fieldset",{children:[n("legend",{class:e?"unseen":"",dir:"auto",children:p(t.text)}),t.options?.map(a=>n("label",{class:"option",children:[
n("input",{type:t.multiple===!0?"checkbox":"radio",name:l,checked:s.includes(a.id),onChange:()=>i(a.id)}),n("span",{dir:"auto",children:[p(a.label??a.id),a.description===
void 0?null:n("small",{children:p(a.description)})]})]},a.id)),Ne(t)?n("textarea",{rows:2,dir:"auto","aria-label":`Answer: ${p(t.text)}`,value:o,onInput:a=>r(a.
currentTarget.value)}):null]})}function xe({sessionId:t,request:e,openedMs:s,call:o,read:i,policy:r,from:l}){let{inbox:a,link:c}=T(),u=`${t}/${e.requestId}`,m=a.sending.value.get(u),d=a.failed.
value.get(u),v=f(""),y=f(!1),w=(A,g)=>{a.answer(t,e.requestId,A,g)},q=e.kind==="approval"?`${e.toolName??"The agent"}${e.subject!==void 0&&e.toolKind!=="execute"?
` ${e.subject}`:""}`:e.title,C=cn(e,W.value);return n("article",{class:`request request-${e.kind}`,tabIndex:0,"data-request":u,"aria-label":`${e.kind==="approva\
l"?"Approval":"Question"}: ${p(q)}`,"aria-busy":m!==void 0,onKeyDown:A=>{let g=A.target instanceof HTMLElement&&A.target.closest("input, textarea, select")!==null;
e.kind==="approval"&&P()&&m===void 0&&un(A,g)&&(A.preventDefault(),v.value=A.key)},children:[l===void 0?null:n("header",{children:[l,n("span",{class:"request-ag\
e",children:V(W.value-s)})]}),n("header",{children:[n("h3",{dir:"auto",children:e.kind==="approval"?n(S,{children:[n("span",{class:"asks",children:"wants"})," ",
p(q)]}):p(q)}),l===void 0?n("span",{class:"request-age",children:V(W.value-s)}):null]}),n(vt,{request:e.kind==="approval"||e.kind==="caller_tool"?e:{...e,subject:void 0},
call:o,isFolded:y}),n("p",{class:"reason",children:[dn(e,r)," ",C===""?null:n("strong",{class:"deadline",children:C})]}),d===void 0?null:n("p",{class:"error",role:"\
alert",children:p(d)}),m!==void 0?n("p",{class:"sending",role:"status",children:["Sending: ",p(m),"…",c.value==="away"?" The daemon does not answer yet.":""]}):
null,P()?null:n("p",{class:"note",children:"This login only reads: it is answered elsewhere."}),n("div",{class:m===void 0?"":"waits",inert:m!==void 0,hidden:!P(),
children:[e.kind==="approval"?n(pn,{request:e,unseen:ht(e,o,i,y.value),pressed:v,answer:w}):null,e.kind==="question"||e.kind==="elicitation"?n(mn,{request:e,answer:w}):
null,e.kind==="caller_tool"?n("p",{class:"note",children:["The program “",p(e.callerId??""),"” answers this."]}):null]})]})}function fn(){let t=T(),e=t.inbox.requests.value,s=Math.max(e.length,t.inbox.total.value),o=x(null),i=x(!1);return b(()=>{i.current&&document.activeElement===document.
body&&o.current?.focus()},[e]),n("div",{class:"inbox",ref:o,tabIndex:-1,onFocusIn:()=>{i.current=!0},onFocusOut:r=>{i.current=r.relatedTarget===null||o.current?.
contains(r.relatedTarget)===!0},children:[n("h2",{children:e.length===0?t.inbox.isRead.value?"Nothing needs you":"Inbox":`${j(s,"request")} ${s===1?"needs":"nee\
d"} you`}),e.map(r=>n(as,{item:r},L(r))),s>e.length?n("p",{class:"empty",children:[s-e.length," more follow when these are answered."]}):null,e.length===0?n("p",
{class:"empty",children:t.inbox.isRead.value?rs(t.sessions.value.size):"Reading what is asked…"}):null]})}function rs(t){return t===0?"What agents ask will sh\
ow here. There is no session yet: begin one with New, or in a terminal.":"What agents ask in any session shows here: approvals with their diff or command, and q\
uestions. Choose a session to read along."}function as({item:t}){let e=T(),s=f({entry:void 0,read:"reading"}),o=L(t);b(()=>{let r=!0;return e.inbox.call(t).then(
l=>{r&&(s.value={entry:l,read:l===void 0?"failed":"read"})}),()=>{r=!1}},[o]);let i=n("a",{class:"from",href:`/s/${t.sessionId}`,"data-place":!0,dir:"auto",children:[
n("strong",{children:p(R(t))}),n("span",{children:[n("bdi",{children:p(t.agent)})," · ",n("bdi",{children:p(_(t.cwd))})]})]});return n(xe,{sessionId:t.sessionId,
request:t.request,openedMs:Date.parse(t.openedAt),call:s.value.entry,read:s.value.read,policy:e.sessions.value.get(t.sessionId)?.policy,from:i})}function gn({close:t}){let e=T(),s=x(null),o=[...e.agents.value.values()],i=o.filter(g=>g.available),r=[...e.sessions.peek().values()].sort((g,h)=>Date.parse(h.
updatedAt)-Date.parse(g.updatedAt))[0],l=f(i.find(g=>g.name===r?.agent)?.name??i[0]?.name??""),a=f([]),c=f(r?.cwd??""),u=f(""),m=f(""),d=f(""),v=f(""),y=f(!1),w=x(
Z());b(()=>{s.current?.showModal(),e.client.roots().then(g=>{a.value=g,c.value||=g[0]??""},()=>{})},[]),F(()=>{l.value||=[...e.agents.value.values()].find(g=>g.
available)?.name??""}),F(()=>{v.value!==""&&e.sessions.value.has(v.value)&&(E({view:"session",id:v.value}),t())});let q=async()=>{y.value=!0,d.value="";let g=m.
peek().trim();try{let{id:h}=await e.client.create({agent:l.peek(),cwd:c.peek().trim(),...u.peek()===""?{}:{model:u.peek()},...g===""?{}:{prompt:m.peek()}},{key:w.
current});v.value=h}catch(h){d.value=O(h),y.value=!1}},C=e.agents.value.get(l.value)?.models??[],A=[...new Set([...a.value,...[...e.sessions.peek().values()].map(
g=>g.cwd)])].slice(0,50);return n("dialog",{ref:s,class:"new","aria-labelledby":"new-title",onClose:t,children:[n("h2",{id:"new-title",children:"New session"}),
e.agents.value.size>0&&i.length===0?n("p",{class:"error",children:["No agent is installed that could work. ",n("code",{children:"ringmaster doctor"})," says wha\
t is missing."]}):null,n("form",{onSubmit:g=>{g.preventDefault(),q()},children:[n("label",{children:["Agent",n("select",{value:l.value,onChange:g=>{l.value=g.currentTarget.
value,u.value=""},children:o.map(g=>n("option",{value:g.name,disabled:!g.available,children:[p(g.name),g.available?"":" (not installed)"]},g.name))})]}),n("labe\
l",{children:["Folder",n("input",{list:"new-folders",required:!0,autocomplete:"off",spellcheck:!1,value:c.value,onInput:g=>{c.value=g.currentTarget.value}}),n("\
datalist",{id:"new-folders",children:A.map(g=>n("option",{value:g},g))})]}),C.length===0?null:n("label",{children:["Model",n("select",{value:u.value,onChange:g=>{
u.value=g.currentTarget.value},children:[n("option",{value:"",children:"The agent’s own choice"}),C.map(g=>n("option",{value:g.id,children:p(g.label??g.id)},g.
id))]})]}),n("label",{children:["First prompt",n("textarea",{rows:4,dir:"auto",value:m.value,onInput:g=>{m.value=g.currentTarget.value}})]}),d.value===""?null:n(
"p",{class:"error",role:"alert",children:p(d.value)}),n("div",{class:"answers",children:[n("button",{class:"primary",disabled:y.value||l.value===""||c.value.trim()===
"",children:y.value?"Beginning…":"Begin"}),n("button",{type:"button",onClick:()=>s.current?.close(),children:"Cancel"})]})]})]})}function hn(){let{link:t,listAsOf:e}=T();return t.value!=="away"||e.value===0?null:n("p",{class:"kept",role:"status",id:"kept-list",children:["Offline. This lis\
t is as of ",n(yn,{at:e.value}),"."]})}function vn({session:t}){let{link:e}=T();return e.value!=="away"||t.seq.value===0?null:n("p",{class:"kept kept-log",role:"\
status",children:["Offline. What stands here goes up to ",n(yn,{at:t.fold.state.ts}),"; what came since is not in this browser."]})}function yn({at:t}){let e=new Date(
t),s=e.toDateString()===new Date().toDateString();return n("time",{dateTime:e.toISOString(),children:s?e.toLocaleTimeString():e.toLocaleString()})}var Xe=matchMedia("(max-width: 55rem)"),Te=k(Xe.matches);Xe.addEventListener("change",()=>Te.value=Xe.matches);function Pe({list:t}){return n(S,{children:t.map((e,s)=>n(S,{children:[s===0?"":" · ",n("bdi",{children:p(e)})]},s))})}var ls=D(()=>import("./part-4MOAMDJX.js").then(t=>t.Controls));function wn({id:t,session:e}){let{feed:s}=H(),o=s.sessions.value.get(t),i=f(""),r=f(!1),l=f(
!1),{state:a,toolName:c,stalled:u}=(e.head.value>=0&&e.isWhole.value?e.fold.state.status:void 0)??o.status,m=a==="idle"&&ft(o.lastTurn),d=!["idle","completed","\
terminated","failed","interrupting","starting"].includes(a),v=async()=>{r.value=!0,i.value="";try{await s.client.session(t).interrupt()}catch(C){i.value=O(C)}r.
value=!1},{costMicros:y,totalTokens:w}=o.spent,q=[o.agent,e.fold.state.model??o.model??"",_(o.cwd),w>0?`${nt(w)} tokens`:"",se(y)].filter(C=>C!=="");return n(S,
{children:[n("header",{class:`head${d?" works":""}`,children:[n("a",{class:"back",href:"/","data-place":!0,"aria-label":"Back to all sessions",children:"←"}),
n("div",{class:"head-names",children:[n("h2",{dir:"auto",children:p(R(o))}),n("p",{class:"head-facts",title:p(o.cwd),children:n(Pe,{list:q})})]}),n("p",{class:`\
state state-${m?"failed":us(a)}`,role:"status",children:[n("span",{class:"dot","aria-hidden":"true"}),m?"its turn failed":oe(a,p(c??"")),u?", says nothing":""]}),
P()?n("button",{type:"button",class:"quiet settings",title:"Name, model, approvals, end (s)","aria-label":"Settings",onClick:()=>{l.value=!0},children:[n("span",
{class:"on-wide",children:"Settings"}),n("span",{class:"on-phone","aria-hidden":"true",children:"⋯"})]}):null,d&&P()?n("button",{type:"button",class:"stop",disabled:r.
value,"aria-label":r.value?"Stopping…":"Interrupt",title:"Stop the running turn (shift x)",onClick:()=>{v()},children:[n("span",{class:"on-wide",children:r.value?
"Stopping…":"Interrupt"}),n("span",{class:"on-phone","aria-hidden":"true",children:r.value?"…":"■"})]}):null,i.value===""?null:n("p",{class:"error",role:"\
alert",children:p(i.value)})]}),l.value?n(ls,{id:t,session:e,close:()=>{l.value=!1}}):null]})}function us(t){return t.startsWith("awaiting")?"needs":t==="failed"?
"failed":t==="idle"?"idle":t==="completed"||t==="terminated"?"ended":"working"}var ds=[["talk","Transcript"],["changes","Changes"],["time","Time"],["usage","Usage"],["raw","Raw"]];function bn({here:t,find:e}){let s=t.part??"talk",{entry:o,
at:i,...r}=t;return n("nav",{class:"parts","aria-label":t.beside===void 0?"Views of this session":`Views of pane ${K(t)+1}`,children:[ds.map(([l,a])=>n("a",{href:Y(
{...r,part:l}),"data-place":!0,"data-part":l,"aria-current":l===s?"page":void 0,children:a},l)),n("button",{type:"button",class:"quiet small find-open",title:"F\
ind in what was said (f)",onClick:e,children:"Find"})]})}function kn({pictures:t,isSending:e,detach:s}){return t.length===0?null:n("ul",{class:"pictures","aria-label":"Images of this prompt",children:t.map((o,i)=>n(cs,
{picture:o,number:i+1,isSending:e,detach:s},`${i}/${o.name}/${o.blob.size}`))})}function cs({picture:t,number:e,isSending:s,detach:o}){let i=M(()=>URL.createObjectURL(
t.blob),[t]);b(()=>()=>URL.revokeObjectURL(i),[i]);let r=t.name===""?`Image ${e}`:t.name;return n("li",{children:[n("img",{src:i,alt:r,title:r,onLoad:({currentTarget:{
naturalWidth:l,naturalHeight:a}})=>{l*a>X.pixels&&o(t,`“${r}” has ${l} × ${a} points; one image may have ${Math.round(X.pixels/1e6)} million.`)},onError:()=>o(
t,`“${r}” cannot be read as an image.`)}),n("button",{type:"button",class:"small",disabled:s,"aria-label":`Take ${r} out`,onClick:()=>o(t),children:"✕"})]})}function Sn({id:t,session:e}){let{feed:s,drafts:o}=H(),i=o.of(t).value,r=x(null),l=x(null),a=f(!1),c=e.head.value>=0?e.fold.state.status:void 0,u=s.sessions.value.
get(t),m=c?.state??u?.status.state??"idle",d=!["idle","completed","terminated","failed"].includes(m),v=s.agents.value.get(u?.agent??"")?.capabilities,y=d&&v?.steer===
!0,w=v?.images===!0,q=s.link.value==="away";b(()=>{let h=r.current;h.style.height="",i.text!==""&&(h.style.height=`${Math.min(h.scrollHeight+2,240)}px`)},[i.text]);
let C=h=>{o.send(s.client,t,h)},A=h=>{let z=[...h??[]];return z.length>0&&w&&!i.isSending&&o.attach(t,z),z.length>0},g=i.isReading||i.text.trim()===""&&i.pictures.
length===0;return n("form",{class:`composer${a.value?" over":""}`,"aria-label":`Write to ${p(R(u??{}))}`,onSubmit:h=>{h.preventDefault(),C()},onDragOver:h=>{h.dataTransfer?.
types.includes("Files")&&(h.preventDefault(),h.dataTransfer.dropEffect=w?"copy":"none",a.value=w)},onDragLeave:()=>{a.value=!1},onDrop:h=>{a.value=!1,A(h.dataTransfer?.
files)&&h.preventDefault()},children:[n(kn,{pictures:i.pictures,isSending:i.isSending,detach:(h,z)=>o.detach(t,h,z)}),n("textarea",{ref:r,rows:1,dir:"auto","ari\
a-label":"Prompt","data-composer":!0,placeholder:d?"Follow up when this turn ends…":"Write a prompt…",value:i.text,readOnly:i.isSending||i.isReading,onInput:h=>o.
write(t,h.currentTarget.value),onPaste:h=>{w&&A(h.clipboardData?.files)&&h.preventDefault()},onKeyDown:h=>{h.key==="Enter"&&!h.shiftKey&&!h.isComposing?(h.preventDefault(),
C((h.ctrlKey||h.metaKey)&&y?"steer":void 0)):h.key==="Escape"&&(h.stopPropagation(),h.currentTarget.blur())}}),n("div",{class:"composer-row",children:[n("p",{class:i.
error!==""?"error":i.isSending||q?"note":"note hint",role:"status",children:i.isSending?"Sending…":i.error!==""?p(i.error):q?"The daemon does not answer. What\
 you write is kept here.":d?"Enter queues it for the end of this turn.":"Enter sends, Shift Enter makes a new line."}),w?n(S,{children:[n("input",{ref:l,type:"f\
ile",class:"unseen",tabIndex:-1,"aria-hidden":"true",accept:Tt,multiple:!0,onChange:h=>{A(h.currentTarget.files),h.currentTarget.value=""}}),n("button",{type:"b\
utton",class:"quiet",disabled:i.isSending,title:"PNG, JPEG, GIF or WebP, at most 8 of at most 10 MiB; they can be pasted and dropped, too",onClick:()=>l.current?.
click(),children:"Image…"})]}):null,y?n("button",{type:"button",disabled:g||i.isSending,onClick:()=>C("steer"),title:"Goes into the running turn (Ctrl Enter)",
children:"Steer"}):null,n("button",{type:"submit",class:"primary",disabled:g||i.isSending,children:d?"Follow up":"Send"})]})]})}function xn({id:t,session:e}){let s=T(),o=f(""),i=f(""),r=e.head.value>=0?e.fold.state.queue:[];if(r.length===0)return null;let l=async(c,u)=>{o.value=c,i.value=
"";try{await u()}catch(m){i.value=O(m)}o.value=""},a=s.client.session(t);return n("section",{class:"queue","aria-label":`Prompts that wait: ${p(R(s.sessions.value.
get(t)??{}))}`,children:[n("h3",{children:["Waiting ",n("span",{class:"count",children:r.length})]}),i.value===""?null:n("p",{class:"error",role:"alert",children:p(
i.value)}),n("ol",{children:r.map((c,u)=>n("li",{"aria-busy":o.value===c.promptId,children:[n("span",{class:"queue-text",dir:"auto",children:[c.streamingBehavior===
"steer"?n("span",{class:"kind",children:"steer "}):null,p(c.text.split(`
`)[0]??"")]}),P()?n(S,{children:[n("button",{type:"button",class:"quiet small","aria-label":"Move up",disabled:u===0||o.value!=="",onClick:()=>{l(c.promptId,()=>a.
move(c.promptId,{position:u}))},children:"↑"}),n("button",{type:"button",class:"quiet small","aria-label":"Move down",disabled:u===r.length-1||o.value!=="",onClick:()=>{
l(c.promptId,()=>a.move(c.promptId,{position:u+2}))},children:"↓"}),n("button",{type:"button",class:"quiet small","aria-label":"Take out of the queue",disabled:o.
value!=="",onClick:()=>{l(c.promptId,()=>a.cancel(c.promptId))},children:"✕"})]}):null]},c.promptId))})]})}function Tn({id:t,session:e,entry:s}){let o=f(!0),i=x(ie.peek()[t]);F(()=>{W.value>0&&o.value&&document.visibilityState==="visible"&&it(t,e.seq.value)});let r=e.
isWhole.value,l=r&&e.entries.value.length===0,a=s!==void 0&&r&&e.fold.entry(s)===void 0;return n(S,{children:[a?n("p",{class:"notice",role:"status",children:["T\
his log has no entry ",n("code",{children:p(s)}),": the link is of another session, or of one that was begun anew."]}):null,n(yt,{session:e,isAtEnd:o,target:s,seen:i.
current,tail:n(S,{children:[r?null:n("p",{class:"empty",children:"Reading the log…"}),l&&e.fold.state.turns.length===0&&e.fold.state.end===void 0?n("p",{class:"\
empty",children:["Nothing was said yet.",P()?" Write the first prompt below.":""]}):null,e.trouble.value===""?null:n("p",{class:"error",children:e.trouble.value}),
n(ps,{id:t,session:e}),n(ms,{session:e})]})}),n(xn,{id:t,session:e}),P()?n(Sn,{id:t,session:e}):n("p",{class:"empty",children:"This login only reads."})]})}function ps({
id:t,session:e}){let s=e.head.value>=0?e.fold.openRequests:[];return!e.isWhole.value||s.length===0?null:n("div",{class:"asked",children:s.map(o=>{let i=o.entryId===
void 0?void 0:e.entry(o.entryId);return n(xe,{sessionId:t,request:o,openedMs:o.openedTs,call:i,read:i===void 0?"failed":"read",policy:e.fold.state.policy},`${o.
requestId}/${o.openedSeq}`)})})}function ms({session:t}){let e=t.head.value>=0?t.fold.state.end:void 0;return e===void 0?null:n("div",{class:e.reason==="error"?
"failure":"mark ended",children:[n("p",{children:[n("strong",{children:e.reason==="error"?"The session failed.":"The session has ended."})," ",e.error===void 0?
null:n("span",{dir:"auto",children:p(e.error)})]}),e.hint===void 0?null:n("p",{dir:"auto",children:p(e.hint)})]})}var fs=D(()=>import("./part-6OKX2C2A.js").then(t=>t.Raw)),gs=D(()=>import("./part-XHM4N65T.js").then(t=>t.Changes)),hs=D(()=>import("./part-76S5YT5I.js").
then(t=>t.Usage)),vs=D(()=>import("./part-DDUFMTR4.js").then(t=>t.Find)),ys=D(()=>import("./part-FDYMWXHX.js").then(t=>t.Time));function Be({here:t}){
let{id:e}=t,{feed:s,drafts:o}=H(),i=s.sessions.value.get(e),r=i!==void 0,l=M(()=>r?s.follow(e):void 0,[s,e,r]);return b(()=>{l!==void 0&&(l.onEvent=a=>{a.type===
"prompt_queued"&&o.taken(e,a.idempotencyKey)})},[l]),l===void 0||i===void 0?n("div",{class:"nothing",children:[n("a",{class:"back",href:"/","data-place":!0,children:"\
← Sessions"}),s.isListed.value?n(S,{children:[n("h2",{children:"No such session"}),n("p",{class:"empty",children:["There is none with the id ",n("code",{children:p(
e)})," within the reach of this login. It may have been removed."]})]}):n("p",{class:"empty",children:"Reading the list of sessions…"})]}):n(ws,{here:t,session:l},
e)}function ws({here:t,session:e}){let{feed:s}=H(),o=f(!1),{id:i}=t,r=()=>{if(o.value=!0,t.part!==void 0&&t.part!=="talk"){let{part:a,at:c,...u}=t;E(u)}},l=t.part===
void 0||t.part==="talk";return n("section",{class:"session","aria-label":p(R(s.sessions.value.get(i)??{})),children:[n(wn,{id:i,session:e}),n(vn,{session:e}),n(
bn,{here:t,find:r}),o.value&&l?n(vs,{session:e,here:t,close:()=>{o.value=!1}}):null,l?n(Tn,{id:i,session:e,entry:t.entry}):e.isWhole.value?n(bs,{here:t,session:e}):
n("p",{class:"empty",role:"status",children:"Reading the log…"})]})}function bs({here:t,session:e}){switch(t.part){case"changes":return n(gs,{session:e});case"\
usage":return n(hs,{session:e});case"time":return n(ys,{session:e,here:t});default:return n(fs,{session:e})}}function Pn({here:t}){let e=T(),s=re(t),o=K(t),i=x(null),r=s.map(a=>a.id);if(M(()=>e.show(r),[e,r.join()]),b(()=>{let a=document.activeElement,c=i.current?.querySelector(
".pane.focused");c?.scrollIntoView({block:"nearest",inline:"nearest"}),c&&!c.contains(a)&&(a===document.body||a?.closest(".pane")!=null)&&te()},[t.id]),s.length===
1)return n(Be,{here:t},t.id);let l=Te.value?[t]:s;return n("div",{class:"grid",ref:i,children:[Te.value?n("nav",{class:"pane-names","aria-label":"Sessions besid\
e each other",children:s.map((a,c)=>n("a",{href:Y(a),"data-place":!0,"aria-current":c===o?"true":void 0,dir:"auto",children:p(R(e.sessions.value.get(a.id)??{}))},
a.id))}):null,n("div",{class:`panes panes-${l.length}`,children:l.map(a=>{let c=r.indexOf(a.id),u=m=>{c!==o&&m.target.closest(".pane-close")===null&&E(a,!0)};return n(
"div",{class:`pane${c===o?" focused":""}`,role:"group",tabIndex:-1,"aria-label":`Pane ${c+1} of ${s.length}${c===o?", has the keys":""}`,onFocusIn:u,onPointerDown:u,
children:[n("a",{class:"pane-close",href:Y(ae(t,c)),"data-place":"alone","aria-label":"Close this pane",title:"Close this pane",children:"✕"}),n(Be,{here:a})]},
a.id)})})]})}var ks={needs:"!",failed:"✕",working:"◐",ready:"●",idle:"○",ended:"–"};function qn({group:t}){return n("span",{class:`sign sign-${t}`,"aria-hidden":"t\
rue",children:ks[t]})}function En({filterBox:t,search:e}){let s=T(),o=f(""),i=Qe(()=>gt(s.sessions.value.values(),s.inbox.requests.value,ie.value,o.value)),r=s.sessions.value.size,l=[
...i.value.values()].reduce((a,c)=>a+c.length,0);return n("nav",{class:"roster","aria-label":"Sessions",children:[n("div",{class:"filter",children:[n("input",{ref:a=>{
t.value=a},type:"search",placeholder:"Filter sessions","aria-label":"Filter sessions",autocomplete:"off",spellcheck:!1,value:o.value,onInput:a=>{o.value=a.currentTarget.
value},onKeyDown:a=>{a.key==="Escape"?(o.value="",a.currentTarget.blur(),a.stopPropagation()):a.key==="Enter"&&!a.isComposing&&o.peek().trim()!==""&&(a.preventDefault(),
e(o.peek()))}}),n("kbd",{"aria-hidden":"true",children:"/"})]}),n("div",{class:"groups",children:[pt.map(a=>{let c=i.value.get(a);return c.length===0?null:n("se\
ction",{class:`group group-${a}`,"aria-labelledby":`group-${a}`,children:[n("h2",{id:`group-${a}`,children:[mt[a]," ",n("span",{class:"count",children:c.length})]}),
n("ul",{children:c.map(u=>n(Ss,{row:u},u.session.id))})]},a)}),s.isListed.value?null:n("p",{class:"empty",children:"Reading the list of sessions…"}),s.isListed.
value&&r===0?n("div",{class:"empty",children:[n("p",{children:"No sessions yet."}),n("p",{children:P()?"Begin one with New, above, or in a terminal:":"One is be\
gun in a terminal:"}),n("p",{children:n("code",{children:'ringmaster run --agent claude "…"'})})]}):null,r>0&&l===0?n("p",{class:"empty",children:["No session\
 has “",p(o.value),"” in its name, agent, folder or labels."]}):null,o.value.trim()===""?null:n("p",{class:"filter-more",children:n("button",{type:"button",
class:"small",id:"search-said",onClick:()=>e(o.peek()),children:["Search what was said ",n("kbd",{"aria-hidden":"true",children:"enter"})]})})]})]})}function Ss({
row:t}){let e=t.session,s=$.value.view==="session"&&$.value.id===e.id,o=x(null);b(()=>{s&&xs(e.id)&&o.current?.scrollIntoView({block:"nearest"})},[s]);let i=Ts(
t),r=se(e.spent.costMicros);return n("li",{children:n("a",{class:"row",ref:o,href:`/s/${e.id}`,"data-place":!0,"data-row":e.id,"aria-current":s?"page":void 0,children:[
n(qn,{group:t.group}),n("span",{class:"row-name",dir:"auto",children:p(R(e))}),n("span",{class:"row-age",children:V(W.value-Date.parse(t.requests[0]?.openedAt??
e.updatedAt))}),i===""?null:n("span",{class:"row-what",dir:"auto",children:p(i)}),n("span",{class:"row-facts",children:n(Pe,{list:[e.agent,_(e.cwd),t.below.length>
0?j(t.below.length,"sub-agent"):"",r].filter(l=>l!=="")})})]})})}var Ke={id:"",until:0};function xs(t){let e=performance.now();return Ke.id!==t&&(Ke={id:t,until:e+
2e3}),e<Ke.until}function Ts({session:t,group:e,requests:s,below:o}){let i=s[0];if(i!==void 0){let u=i.request,m=s.length>1?` (+${s.length-1})`:"";return`${u.kind===
"approval"&&[u.toolName,u.subject].filter(Boolean).join(" ")||u.title}${m}`}if(e==="failed")return t.status.state==="failed"?t.endError??"failed":`its turn fail\
ed${t.lastTurn?.error===void 0?"":`: ${t.lastTurn.error}`}`;let r=o.filter(u=>u.status.agentStatus!=="idle").length,a=[e==="idle"?"":e==="ready"?t.lastTurn?.status===
"interrupted"?`its turn was interrupted ${st[t.lastTurn.cause??""]??""}`.trim():"its turn has ended":oe(t.status.state,t.status.toolName),t.status.stalled?"says\
 nothing":"",t.status.queuedPrompts?`${j(t.status.queuedPrompts,"prompt")} waiting`:"",r>0?`${r} below at work`:""],c=t.marks?.find(u=>u.state==="reached")?"bud\
get used up":"";return[...a,c,t.damage!==void 0?"log damaged":t.readOnly?"read-only":""].filter(u=>u!=="").join(" · ")}var Ps=D(()=>import("./part-WOL676MA.js").then(t=>t.Palette));function Rn({notice:t,leave:e,forget:s}){let o=T(),i=f(null),r=f(!1),l=f(!1),a=f(!1),c=f(void 0),
u=M(()=>({feed:o,filter:()=>i.peek(),help:y=>{r.value=y},begin:()=>{l.value=P()},palette:(y,w="")=>{c.value={mode:y,text:w}},isOpen:()=>r.peek()||l.peek()||c.peek()!==
void 0||a.peek()}),[o]),m=o.inbox.isRead.value?o.inbox.total.value:[...o.sessions.value.values()].filter(y=>y.status.state.startsWith("awaiting")).length,d=$.value;
F(()=>{let y=o.inbox.total.value,w=$.value,q=w.view==="session"?o.sessions.value.get(w.id):void 0;document.title=`${y>0?`(${y}) `:""}${q===void 0?"Ringmaster":`${p(
R(q)).slice(0,80)} · Ringmaster`}`}),F(()=>{let y=o.inbox.total.value,w=navigator,q=setTimeout(()=>{(y>0?w.setAppBadge?.(y):w.clearAppBadge?.())?.catch(()=>{})},
1e3);return()=>clearTimeout(q)}),Ge(()=>{let y=nn(u);return document.addEventListener("keydown",y),()=>document.removeEventListener("keydown",y)},[u]),b(()=>Gt(
o),[o]);let v=o.link.value;return n("main",{class:`shell view-${d.view}`,"data-role":o.role.value,children:[n("h1",{class:"unseen",children:"Ringmaster"}),n("di\
v",{class:"side",children:[n("header",{class:"bar",children:[n("a",{class:"brand",href:"/","data-place":!0,children:"Ringmaster"}),n("span",{class:`link link-${v}`,
role:"status",children:v==="live"?n("span",{class:"unseen",children:"connected"}):v==="away"?"daemon away":"connecting…"}),P()?n("button",{type:"button",class:"\
small",id:"new",title:"Begin a session (c)",onClick:()=>{l.value=!0},children:"New"}):null,n("a",{class:`needs${m>0?" some":""}`,href:"/inbox","data-place":!0,"\
aria-current":d.view==="inbox"?"page":void 0,children:m>0?`${m} need${m===1?"s":""} you`:"Inbox"})]}),t===""?null:n("p",{class:"notice",role:"status",id:"notice",
children:p(t)}),n(hn,{}),n(En,{filterBox:i,search:y=>u.palette("said",y)}),n("footer",{class:"foot",children:[n("div",{class:"foot-row",children:[n("span",{id:"\
who",title:I.value?.expiresAt===void 0?"":`until ${new Date(I.value.expiresAt).toLocaleString()}`,children:p([I.value?.name,I.value?.scope&&`(${I.value.scope})`].
filter(Boolean).join(" "))}),n("button",{type:"button",class:"quiet small",id:"leave",onClick:e,children:"Log out"})]}),n("div",{class:"foot-row",children:[B.value===
"unable"?null:n("button",{type:"button",class:"quiet small",id:"notices","aria-pressed":B.value==="on",title:"Tells you, while you look elsewhere, of requests a\
nd of turns that have ended",onClick:()=>{_t()},children:B.value==="on"?"Notices on":"Notify me"}),n("button",{type:"button",class:"quiet small",onClick:()=>u.palette(
"all"),children:"Go to…"}),n("button",{type:"button",class:"quiet small",onClick:()=>{r.value=!0},children:"Keys"}),n("button",{type:"button",class:"quiet sma\
ll",id:"this-browser",onClick:()=>{a.value=!0},children:"This browser"})]})]})]}),n("div",{class:"main",children:d.view==="session"?n(Pn,{here:d}):n(S,{children:[
n("a",{class:"back only-phone",href:"/","data-place":!0,children:"← Sessions"}),n(fn,{})]})}),n(qs,{}),l.value?n(gn,{close:()=>{l.value=!1}}):null,c.value===void 0?
null:n(Ps,{...c.value,commands:en(u),close:()=>{c.value=void 0}},c.value.mode),a.value?n(Qt,{close:()=>{a.value=!1},forget:s}):null,r.value?n(on,{close:()=>{r.value=
!1}}):null]})}function qs(){let t=T(),e=f(""),s=f(void 0);return F(()=>{let o=t.inbox.requests.value.length,i=s.peek();i!==void 0&&o>i?e.value=`An answer is nee\
ded: ${o} in all`:o===0&&(e.value=""),s.value=t.inbox.isRead.value?o:void 0}),n("p",{class:"unseen",role:"status",children:e.value})}function In({notice:t}){let e=f(""),s=f(""),o=f(!1);return n("main",{class:"gate",id:"out",children:[n("h1",{children:"Ringmaster"}),t===""?null:n("p",{class:"n\
otice",role:"status",id:"notice",children:p(t)}),n("p",{children:"You are not logged in. Run this in a terminal of the daemon’s user; it opens this page logged \
in:"}),n("pre",{class:"command",children:"ringmaster web"}),n("details",{children:[n("summary",{children:"Log in with a token"}),n("form",{onSubmit:i=>{i.preventDefault(),
o.value=!0,Wt(e.peek().trim()).then(r=>{o.value=!1,s.value=r})},children:[n("label",{children:[n("span",{children:["Token, as ",n("code",{children:"ringmaster t\
oken create"})," gives it"]}),n("input",{type:"password",autocomplete:"off",spellcheck:!1,value:e.value,onInput:i=>{e.value=i.currentTarget.value}})]}),s.value===
""?null:n("p",{class:"error",role:"alert",children:p(s.value)}),n("button",{class:"primary",disabled:o.value||e.value.trim()==="",children:"Log in"})]})]})]})}function $n({
done:t}){let e=f(!1);return n("main",{class:"gate",id:"link",children:[n("h1",{children:"Log in with this link?"}),n("p",{children:"A link from elsewhere would \
log this browser in. Go on only if you asked for it: whoever made the link sees what you do here."}),n("p",{class:"answers",children:[n("button",{id:"trade",type:"\
button",class:"primary",disabled:e.value,onClick:()=>{e.value=!0,ke().then(t)},children:"Log in with this link"}),n("button",{type:"button",onClick:()=>t(""),children:"\
No"})]})]})}var He=new me;function Es({begin:t}){let e=f(t),s=f("");if(b(()=>{t==="trade"&&ke().then(i=>{s.value=i,e.value="rest"})},[]),e.value==="trade")return n("main",{
class:"gate",children:[n("h1",{children:"Ringmaster"}),n("p",{role:"status",children:"Logging in…"})]});if(e.value==="stranger")return n($n,{done:i=>{ue(),s.value=
i,e.value="rest"}});let o=I.value?.token;return o===void 0?n(In,{notice:s.value}):n(Rs,{token:o,notice:s.value,say:i=>{s.value=i}},o)}function Rs({token:t,notice:e,
say:s}){let o=M(()=>{let i=new we(t,"page",(r,l)=>{s(r),l&&(Lt(t),I.peek()===null&&G())});return i.onGone=r=>He.gone(r),i},[t]);return b(()=>(Nt(),()=>{o.close()}),
[o]),n(ct.Provider,{value:{feed:o,drafts:He},children:n(Rn,{notice:e,leave:()=>{De().then(s)},forget:async()=>{let i=await Jt();He.forget(),at(),s(i)}})})}dt();
I.peek()===null&&G();_e(n(Es,{begin:bt()?kt?"stranger":"trade":"rest"}),document.getElementById("page"));
