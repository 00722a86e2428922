/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as je,c as Ye,d as Ze,e as et,f as tt,g as Ce,h as nt,i as V,j as $e,k as it,l as ut,m as dt,n as vt,o as yt,p as L,q as wt}from"./part-L5FG7ZTU.js";
import{a as ae,b as rt,c as at,d as lt}from"./part-TGA47FIY.js";import{a as mt,b as ft,d as ht,e as C,f as gt}from"./part-UCHGSOGL.js";import{a as le,
b as G,d as ue,h as ct}from"./part-QQFDD3BP.js";import"./part-HOSYZYDA.js";import"./part-LRED2DU6.js";import{a as pt,b as B,c as S}from"./part-S5T474SM.js";
import{a as I,b as j,e as st,f as ie,g as Y,h as U,i as ot,j as re,k as p}from"./part-LMNZKLVE.js";import{b as R,d as Z,e as q}from"./part-QM4WH6KA.js";
import{a as T,c as Ue,f as w,g as ze,h as P,i as D,k as Qe,l as Ve,m as b,n as Re,o as f,p as oe,q as F,r as n}from"./part-WMXWHT22.js";var bt="#login=",de=location.hash.startsWith(bt)?location.hash.slice(bt.length):"";de!==""&&history.replaceState(null,"",location.pathname+location.search);function kt(){
return de!==""}function ce(){let t=de;return de="",t}var St=document.documentElement.dataset.arrived==="elsewhere";var Fn="ringmaster.drafts",Ie="images";function Ln(){return new Promise((t,e)=>{let s=indexedDB.open(Fn,1);s.onupgradeneeded=()=>s.result.createObjectStore(Ie),
s.onsuccess=()=>t(s.result),s.onerror=()=>e(s.error??new Error("no database"))})}async function xt(t,e){let s=await Ln();try{return await new Promise((o,i)=>{let r=s.
transaction(Ie,t),l=e(r.objectStore(Ie));r.oncomplete=()=>o(l.result),r.onabort=()=>i(r.error??new Error("not stored"))})}finally{s.close()}}function Ae(t,e){return xt(
"readwrite",s=>e.length===0?s.delete(t):s.put([...e],t)).then(()=>!0,()=>!1)}function Tt(t){return xt("readonly",e=>e.get(t)).then(e=>e??[],()=>[])}var K={count:8,bytes:10485760,body:41943040,pixels:52428800},Pt="image/png,image/jpeg,image/gif,image/webp";function Mn(t){let e=(s,...o)=>o.every((i,r)=>t[s+r]===
i);return e(0,137,80,78,71,13,10,26,10)?"image/png":e(0,255,216,255)?"image/jpeg":e(0,71,73,70,56)?"image/gif":e(0,82,73,70,70)&&e(8,87,69,66,80)?"image/webp":void 0}
function Dn(t,e,s){let o=e.name===""?"The image":`“${e.name}”`;if(s===void 0)return`${o} is no PNG, JPEG, GIF or WebP.`;if(t.length>=K.count)return`A prompt\
 takes ${K.count} images.`;if(e.size>K.bytes)return`${o} has ${pe(e.size)} MiB; one image may have ${pe(K.bytes)}.`;let i=t.reduce((r,l)=>r+l.blob.size,e.size);
return Math.ceil(i/3)*4>K.body-(1<<20)?`With ${o} the images have ${pe(i)} MiB; all of a prompt may have ${pe((K.body-(1<<20))/4*3)}.`:""}function pe(t){return(t/
(1<<20)).toFixed(t%(1<<20)===0?0:1)}function qt(t){return Promise.all(t.map(async e=>({file:e,type:Mn(new Uint8Array(await e.slice(0,16).arrayBuffer()))})))}function Et(t,e){
let s=[...t],o="";for(let{file:i,type:r}of e){let l=Dn(s,i,r);l!==""||r===void 0?o||=l:s.push({name:i.name,type:r,blob:i.slice(0,i.size,r)})}return{pictures:s,why:o}}
function Rt(t){return new Promise((e,s)=>{let o=new FileReader;o.onload=()=>e(o.result.replace(/^[^,]*,/,"")),o.onerror=()=>s(o.error??new Error("the image cann\
ot be read")),o.readAsDataURL(t)})}var Nn=5e3,me=t=>`ringmaster.draft.${t}`,fe=()=>({text:"",pictures:[],key:ee(),isSending:!1,isReading:!1,error:"",wasSent:!1}),he=class{#t=new Map;constructor(){
addEventListener("storage",({key:e})=>{for(let[s,o]of this.#t)(e===null||e===me(s))&&!o.peek().isSending&&this.#n(s,o)})}gone(e){this.#e(e,this.of(e)),this.#t.delete(
e)}#e(e,s){(s.peek().isReading||s.peek().pictures.length>0)&&Ae(e,[]),s.value=fe(),$t(e,s.peek())}forget(){this.#t.clear()}of(e){let s=this.#t.get(e);return s===
void 0&&(this.#t.set(e,s=b(fe())),this.#n(e,s)),s}#n(e,s){let o=Ct(e);s.value=o,o.isReading&&Tt(e).then(i=>{s.peek()===o&&(s.value={...o,pictures:i,isReading:!1,
...i.length===0?{key:ee()}:{}})})}write(e,s){this.#s(e,{text:s})}async attach(e,s){let o=await qt(s),i=this.of(e).peek().pictures,{pictures:r,why:l}=Et(i,o);this.#s(
e,r.length===i.length?{}:{pictures:r},l)}detach(e,s,o=""){this.#s(e,{pictures:this.of(e).peek().pictures.filter(i=>i!==s)},o)}#s(e,s,o=""){let i=this.of(e),r=i.
peek();if(r.isSending||r.isReading)return;let l=s.text!==void 0&&s.text!==r.text||s.pictures!==void 0,a=r.wasSent&&l;i.value={...r,...s,key:a?ee():r.key,wasSent:r.
wasSent&&!a,error:o},$t(e,i.peek()),s.pictures!==void 0&&Ae(e,s.pictures)}async send(e,s,o){let i=this.of(s),r=i.peek(),{text:l,key:a,pictures:c}=r;if(!(r.isSending||
r.isReading||l.trim()===""&&c.length===0)){i.value={...r,isSending:!0,wasSent:!0,error:""};try{let u=await Promise.all(c.map(async d=>({mediaType:d.type,data:await Rt(
d.blob)}))),{repeated:m}=await e.prompt(s,{...l===""?{}:{text:l},...u.length===0?{}:{images:u},...o===void 0?{}:{streamingBehavior:o}},{key:a});m?this.taken(s,a):
setTimeout(()=>this.taken(s,a),Nn)}catch(u){if(i.peek().key===a){let m=u instanceof nt?"The daemon does not answer. The draft is kept here; sent again, it is on\
e prompt.":I(u);i.value={...i.peek(),isSending:!1,error:m}}}}}taken(e,s){let o=this.of(e);s===o.peek().key&&(Ct(e).key===s?this.#e(e,o):this.#n(e,o))}};function ee(){
return`page-${crypto.getRandomValues(new Uint32Array(4)).reduce((t,e)=>t+e.toString(16).padStart(8,"0"),"")}`}function Ct(t){try{let{text:e,key:s,pictures:o}=JSON.
parse(localStorage.getItem(me(t))??"{}");if(typeof e=="string"&&typeof s=="string")return{...fe(),text:e,key:s,isReading:typeof o=="number"&&o>0,wasSent:!0}}catch{}
return fe()}function $t(t,{text:e,key:s,pictures:o}){try{e===""&&o.length===0?localStorage.removeItem(me(t)):localStorage.setItem(me(t),JSON.stringify({text:e,key:s,
...o.length===0?{}:{pictures:o.length}}))}catch{}}function It(t,e){return t.seq===0||e.seq===0?t.seq<e.seq:t.epoch<e.epoch||t.epoch===e.epoch&&t.seq<e.seq}var Jn=400,ge=class{requests=b([]);sending=b(new Map);failed=b(new Map);isRead=b(!1);total=b(0);#t;#e=new AbortController;#n=new Map;#s="rest";constructor(e){this.#t=
e}has(e){return this.requests.peek().some(s=>s.sessionId===e)}look(){this.#s==="rest"?this.#o():this.#s="again"}async#o(){do{this.#s="reading";try{let{requests:e,
total:s}=await this.#t.inbox({signal:this.#e.signal,limit:200});this.requests.value=e,this.total.value=s,this.isRead.value=!0,this.#a(new Set(e.map(M)))}catch{break}}while(this.#s===
"again");this.#s="rest"}#a(e){for(let s of[this.sending,this.failed]){let o=[...s.peek()].filter(([i])=>e.has(i));o.length<s.peek().size&&(s.value=new Map(o))}for(let s of this.#n.
keys())e.has(s)||this.#n.delete(s)}async answer(e,s,o,i){let r=`${e}/${s}`;if(!this.sending.peek().has(r)){this.sending.value=new Map(this.sending.peek()).set(r,
i),this.#i(r,void 0);try{await this.#t.session(e).answer(s,o,{signal:this.#e.signal})}catch(l){let a=new Map(this.sending.peek());a.delete(r),this.sending.value=
a,this.#i(r,I(l))}this.look()}}#i(e,s){let o=new Map(this.failed.peek());(s===void 0?o.delete(e):o.set(e,s))&&(this.failed.value=o)}call(e){if(e.request.diff!==
void 0)return Promise.resolve(void 0);let s=M(e),o=this.#n.get(s);if(o===void 0){let i=this.#l(e).catch(()=>{this.#n.delete(s)});this.#n.set(s,o=i)}return o}async#l(e){
let s=Ye(e.cursor),o=new tt;for await(let{event:i}of this.#t.log(e.sessionId,{since:{epoch:s.epoch,seq:Math.max(0,s.seq-Jn)},signal:this.#e.signal}))if(o.apply(
i),i.seq>=s.seq)break;return o.entry(e.request.entryId??"")}close(){this.#e.abort()}};function M(t){return`${t.sessionId}/${t.request.requestId}`}var ve="ringmaster-";var Oe="ringmaster.budget",Fe=512<<20;async function At(t){if(globalThis.crypto?.subtle===void 0)return"";let e=await crypto.subtle.digest("SHA-256",new TextEncoder().
encode(`ringmaster principal ${t}`));return[...new Uint8Array(e).subarray(0,16)].map(s=>s.toString(16).padStart(2,"0")).join("")}var Ot={createScriptURL:t=>{if(t!=="/sw.js"&&!/^\/assets\/[0-9a-f]{16}-worker\.js$/.test(t))throw new TypeError("this is no worker of this page");return t}},Xn=globalThis.
trustedTypes,ye=Xn?.createPolicy("ringmaster",Ot)??Ot;var Wn=3e3,we=class{#t;#e=!1;#n=()=>{};constructor(e,s,o){let i=document.body.dataset.worker??"";try{this.#t=new Worker(ye.createScriptURL(i))}catch{queueMicrotask(
o);return}this.#t.onerror=()=>o(),this.#t.onmessage=({data:r})=>{if(r==="closed"){this.#n();return}if(!this.#e)try{r.told.forEach(s)}finally{this.ask({type:"tak\
en",n:r.n})}},At(e).then(r=>this.#s({type:"begin",token:e,principal:r,build:i,budget:Le()}))}ask(e){this.#e||this.#s(e)}async close(){if(this.#e=!0,this.#t===void 0)
return;let e=new Promise(o=>setTimeout(o,Wn)),s=new Promise(o=>this.#n=o);this.#s({type:"close"}),await Promise.race([s,e]),this.#t.terminate()}#s(e){this.#t?.postMessage(
e)}};function Le(){try{let t=Number(localStorage.getItem(Oe));return Number.isSafeInteger(t)&&t>0?t:Fe}catch{return Fe}}function Ft(t){try{localStorage.setItem(
Oe,String(t))}catch{}}var be=class{#t;#e=new Map;#n=0;constructor(e){this.#t=e}put(e,s,o=()=>{}){let i=++this.#n;return this.#e.set(i,{put:e,take:s,begin:o}),o(),this.#t({...e,n:i}),
()=>{this.#e.delete(i)&&this.#t({type:"drop",n:i})}}take(e){let s=this.#e.get(e.n);(e.type==="past"||e.progress.stage!=="goes on")&&this.#e.delete(e.n),s?.take(
e)}again(){for(let[e,{put:s,begin:o}]of this.#e)o(),this.#t({...s,n:e})}};var Bn=4,Kn=100,Hn=200,ke=class{client;link=b("connecting");role=b("waits");keeps=b("memory");listAsOf=b(0);sessions=b(new Map);isListed=b(!1);agents=b(new Map);inbox;onGone=()=>{};questions=new be(
e=>this.#t.ask(e));#t;#e=new Map;#n=new WeakSet;#s=!1;#o=new Map;#a;#i=()=>this.#t.ask({type:"wake"});#l=$e(()=>setTimeout(()=>this.#r(),Hn));#u=$e(()=>this.sessions.
value=new Map(this.#e));constructor(e,s,o){this.#a=o,this.client=new V({base:location.origin,token:e,name:s}),this.inbox=new ge(this.client),this.#t=new we(e,i=>this.#c(
i),()=>o("This page cannot start its worker. Load it again to go on.",!1)),this.#d(),addEventListener("online",this.#i),addEventListener("pageshow",this.#i),document.
addEventListener("visibilitychange",this.#i)}#d(){this.client.agents().then(({agents:e})=>{this.agents.value=new Map(e.map(s=>[s.name,s]))},()=>{})}follow(e){let s=this.#o.
get(e),o=s??new it(e,this.#e.get(e)?.seq??1);this.#o.delete(e),this.#o.set(e,o);let i=[...this.#o.keys()].slice(0,-Bn);return i.forEach(r=>this.#o.delete(r)),(s===
void 0||i.length>0)&&this.#r(),o}show(e){for(let s of e){let o=this.#o.get(s);o!==void 0&&(this.#o.delete(s),this.#o.set(s,o))}}async close(){removeEventListener(
"online",this.#i),removeEventListener("pageshow",this.#i),document.removeEventListener("visibilitychange",this.#i),this.inbox.close(),await this.#t.close()}#r(e){
let s=[...this.#o.values()].filter(o=>o!==e);this.#t.ask({type:"want",at:Object.fromEntries(s.map(o=>[o.id,o.at??null]))})}#c(e){switch(e.type){case"source":return this.
role.value=e.role,this.#r(),this.questions.again();case"found":case"past":return this.questions.take(e);case"keeps":this.keeps.value=e.keeps;return;case"link":return this.#h(
e.link,e.since);case"refused":return this.link.value="away",this.#a(e.isOver?"This login is over.":`${e.why} Load this page again to go on.`,e.isOver);case"rost\
er":return this.#g(e.sessions,e.asOf);case"session":return this.#v(e.session);case"gone":return this.#e.delete(e.id),this.#u(),this.onGone(e.id),this.inbox.look();default:{
let s=this.#o.get(e.id);return s===void 0?void 0:this.#p(s,e)}}}#p(e,s){switch(s.type){case"state":return this.#m(e,s.at,s.state);case"lines":e.take(s.epoch,s.from,
s.lines.map(_n))||(this.#r(e),this.#r());return;case"overflow":return e.flow(s.overflow);case"reset":(e.at===void 0||!It(s.at,e.at))&&(e.reset(),this.#n.add(e));
return;case"ask":setTimeout(()=>{this.#f(e)},this.#n.delete(e)?Kn:0);return;case"none":if(e.at!==void 0)return;e.trouble.value="The daemon does not answer, and \
this browser has kept nothing of this session.",e.isWhole.value=!0;return;case"notice":e.trouble.value=Gn[s.notice]??e.trouble.value,e.isWhole.value||=s.notice===
"damaged"}}#m(e,s,o){e.isBefore(s)&&(e.begin(et(o),s,this.link.peek()==="away"),this.#l())}async#f(e){if(e.isAsking||this.isListed.peek()&&!this.#e.has(e.id))return;
e.isAsking=!0;let s=await ut(this.client.session(e.id)).catch(o=>o instanceof Error&&o.name==="Unreachable"?"away":void 0);if(e.isAsking=!1,!(this.#o.get(e.id)!==
e||s==="away")){if(s===void 0||s.damage!==void 0)e.at??={epoch:1,seq:0};else if(e.isBefore(s))return e.begin(s,{epoch:s.epoch,seq:s.seq},!0),e.trouble.value=dt(
s),this.#l();this.#r()}}#h(e,s=Date.now()){this.link.value=e,this.#s&&(e==="live"||e==="away"&&this.listAsOf.peek()===0)&&(this.listAsOf.value=e==="live"?0:s),e===
"live"&&(this.inbox.look(),this.agents.peek().size===0&&this.#d(),[...this.#o.values()].some(o=>o.at===void 0)&&this.#r())}#g(e,s){if(s!==void 0&&this.#s)return;
this.#s=s===void 0;let o=[...this.#e.keys()];this.#e=new Map(e.map(i=>[i.id,i])),Ve(()=>{this.listAsOf.value=s??0,this.isListed.value=!0,this.sessions.value=new Map(
this.#e)}),s===void 0&&(o.filter(i=>!this.#e.has(i)).forEach(i=>this.onGone(i)),at(new Set(this.#e.keys())),this.inbox.look())}#v(e){let s=this.#e.get(e.id);this.#e.
set(e.id,e),this.#u(),this.isListed.peek()&&(Lt(e)||s!==void 0&&Lt(s)||this.inbox.has(e.id))&&this.inbox.look()}};function Lt(t){return t.status.state==="awaiti\
ng_approval"||t.status.state==="awaiting_input"}function _n(t){try{return Ze(t)}catch(e){if(e instanceof je)return;throw e}}var Gn={unavailable:"The daemon cann\
ot give this log now; it is asked again.",damaged:"This log is damaged on the daemon’s disk: what you see ends early.",uncached:"This browser has no room for \
this session: offline it is not there."};var Se="ringmaster.login",$=b(Me());function A(){return $.value?.scope.endsWith(":ro")!==!0}function O(t){return A()&&(t?.node===void 0||t.forwarded===!0)}function te(t){
$.value=t;try{t===null?localStorage.removeItem(Se):localStorage.setItem(Se,JSON.stringify(t))}catch{}}function Me(){try{let t=JSON.parse(localStorage.getItem(Se)??
"null");return typeof t?.token=="string"?t:null}catch{return null}}function Mt(t){let e=Me();e!==null&&e.token!==t?$.value=e:te(null)}addEventListener("storage",
t=>{t.key===Se&&($.value=Me())});var De="ringmaster",Un=60,zn=100;async function z(){for(let t=1;;t++){if(await Qn())return!0;if(t===Un)return!1;await new Promise(e=>setTimeout(e,zn))}}async function Qn(){
let t;try{t=await navigator.storage.getDirectory()}catch{return!0}let e=!0;try{let s=[];for await(let{name:o}of t.values())s.push(o);for(let o of s.filter(i=>i.
startsWith(ve)))await t.removeEntry(o,{recursive:!0})}catch{e=!1}return e}async function Dt(){try{for(let s of[localStorage,sessionStorage])for(let o of Object.
keys(s).filter(i=>i.startsWith(De)))s.removeItem(o)}catch{}let t=await z(),e=await Promise.allSettled([Vn(),jn()]);return t&&e.every(({status:s})=>s==="fulfille\
d")?"":"Something is left: another tab of this page still uses it. Close the other tabs and load this one again."}async function Vn(){let t=await globalThis.indexedDB?.
databases?.()??[];for(let{name:e}of t.filter(s=>s.name?.startsWith(De)))await new Promise((s,o)=>{let i=indexedDB.deleteDatabase(e);i.onsuccess=()=>s(),i.onerror=
i.onblocked=()=>o(new Error("in use"))})}async function jn(){for(let t of await navigator.serviceWorker?.getRegistrations()??[])await t.unregister();for(let t of await globalThis.
caches?.keys()??[])t.startsWith(De)&&await caches.delete(t)}var Yn=[["Edg","Edge"],["OPR/","Opera"],["Firefox/","Firefox"],["Chrome/","Chrome"],["Safari/","Safari"]],Zn=[["Android","Android"],["iPhone","iPhone"],["iPad",
"iPad"],["Mac OS","macOS"],["Windows","Windows"],["Linux","Linux"]];function Nt(t){let e=Yn.find(([o])=>t.includes(o))?.[1]??"A browser",s=Zn.find(([o])=>t.includes(
o))?.[1];return s===void 0?e:`${e} on ${s}`}var es=()=>new V({base:location.origin}),Ne=t=>new V({base:location.origin,token:t});async function xe(){let t=$.peek();try{te(await es().login({code:ce(),name:Nt(
navigator.userAgent)}))}catch(e){return I(e)}return t!==null&&await Ne(t.token).endLogin().catch(()=>{}),""}var Jt;function Xt(t){return t===Jt}async function Je(){
let t=$.peek()?.token;if(Jt=t,te(null),t===void 0)return"";z();try{await Ne(t).endLogin()}catch(e){if(!(e instanceof Ce&&e.status===401))return`This browser has\
 forgotten its login, and the daemon has not: ${I(e)}`}return"You are logged out."}async function Wt(){let t=await Je(),e=await Dt();return e!==""?e:t==="You ar\
e logged out."?"This browser has forgotten everything.":t}async function Bt(t){try{await Ne(t).sessions({limit:1})}catch(e){return e instanceof Ce&&e.status===401?
"The daemon does not know this token. It may have expired, or been revoked.":I(e)}return te({token:t,id:"",name:"a pasted token",scope:""}),""}function Kt(){navigator.serviceWorker?.register(ye.createScriptURL("/sw.js"),{updateViaCache:"none"}).catch(()=>{})}function Ht(t,e){let s=[];for(let o of e){let i=t.get(o.id);if(i===void 0||o.subAgent===!0)continue;let r=o.lastTurn;if(o.status.state==="failed"&&i.state!=="fa\
iled")s.push({tag:`end/${o.id}`,session:o.id,words:"The session has failed."});else if(r!==void 0&&r.turnId!==i.turnId&&r.cause!=="user"){let l=r.status==="erro\
r"||r.cause==="lost";s.push({tag:`turn/${o.id}/${r.turnId}`,session:o.id,words:l?"A turn has failed.":r.status==="interrupted"?"A turn was interrupted.":"A turn\
 has ended."})}}return s}function _t(t){return new Map([...t].map(e=>[e.id,{turnId:e.lastTurn?.turnId,state:e.status.state}]))}var Gt="ringmaster.notices",_=b(Ut());function Ut(){if(!("Notification"in globalThis)||Notification.permission==="denied")return"unable";try{return Notification.
permission==="granted"&&localStorage.getItem(Gt)==="yes"?"on":"off"}catch{return"off"}}async function zt(){let t=_.peek()==="off";t&&Notification.permission!=="\
granted"&&await Notification.requestPermission();try{localStorage.setItem(Gt,t?"yes":"no")}catch{}let e=Ut();_.value=e==="unable"?e:t&&Notification.permission===
"granted"?"on":"off"}function ts(t,e){try{return new Notification(t,e)}catch{_.value="unable";return}}function Qt(t){let e,s,o=(r,l,a,c)=>{if(_.peek()!=="on"||document.
visibilityState==="visible"&&document.hasFocus())return;let u=t.sessions.peek().get(r),m=ts(p(C(u??{})).slice(0,80),{body:[a,u?.agent??""].filter(d=>d!=="").map(
p).join(" "),tag:l,icon:document.querySelector("link[rel=icon]")?.href??""});m!==void 0&&(m.onclick=()=>{window.focus(),q(c?{view:"inbox"}:{view:"session",id:r}),
m.close()})},i=[Re(()=>{let r=[...t.sessions.value.values()];if(!(!t.isListed.value||e===void 0&&t.listAsOf.value!==0)){for(let l of e===void 0?[]:Ht(e,r))o(l.session,
l.tag,l.words,!1);e=_t(r)}}),Re(()=>{let r=t.inbox.requests.value;if(t.inbox.isRead.value){for(let l of s===void 0?[]:r.filter(a=>!s.has(M(a))))o(l.sessionId,`r\
equest/${M(l)}`,l.request.kind==="approval"?`It asks for an approval (${l.request.toolKind??"a tool"}).`:"It asks a question.",!0);s=new Set(r.map(M))}})];return()=>i.
forEach(r=>r())}async function Vt(){let t={sessions:0,bytes:0},e=async(s,o)=>{for await(let i of s.values())i.kind==="file"?(t.bytes+=(await i.getFile()).size,t.sessions+=i.name.
endsWith(".index")?1:0):(o>0||i.name.startsWith(ve))&&await e(i,o+1)};try{await e(await navigator.storage.getDirectory(),0)}catch{}return t}var ns=[64,128,256,512,1024,2048].map(t=>t<<20),ss={waits:"This tab looks for the others.",leads:"This tab reads the daemon’s one stream, for itself and for you\
r other tabs.",follows:"Another tab reads the daemon’s one stream, for this one too.",alone:"This tab has a stream of its own: the others do not answer, or th\
is browser cannot share one."};function Yt({close:t,forget:e}){let{keeps:s,role:o}=S(),i=f({sessions:0,bytes:-1}),r=P(null),l=f(!1),a=f(!1),c=f(Le());w(()=>{r.current?.
showModal(),Vt().then(d=>{i.value=d})},[]);let{sessions:u,bytes:m}=i.value;return n("dialog",{ref:r,class:"new",id:"browser","aria-labelledby":"browser-title",onClose:t,
children:[n("h2",{id:"browser-title",children:"This browser"}),n("form",{method:"dialog",children:[s.value==="disk"?n("p",{children:["It keeps what was read, so\
 that it opens at once and without the daemon: now ",n("strong",{id:"kept-size",children:m<0?"…":jt(m)})," of ",u===1?"1 session":`${u} sessions`,". What was \
not read for longest goes first."]}):n("p",{id:"keeps-nothing",children:"It keeps nothing here: it has no file system for this page, or another tab holds it. Wh\
at was read goes when the page is closed."}),o.value==="alone"||s.value==="disk"?n("p",{class:"note",children:ss[o.value]}):null,n("label",{children:["At most",
n("select",{id:"budget",value:String(c.value),onChange:d=>{c.value=Number(d.currentTarget.value),Ft(c.value)},children:[...new Set([...ns,c.value])].sort((d,g)=>d-
g).map(d=>n("option",{value:String(d),children:jt(d)},d))})]}),n("p",{class:"note",children:"Another limit counts when all tabs of this page have been loaded ag\
ain."}),l.value?n("div",{class:"request-row",children:n("button",{type:"button",class:"stop",id:"forget-yes",disabled:a.value,onClick:()=>{a.value=!0,e()},children:a.
value?"Forgetting…":"Forget everything and log out"})}):n("div",{class:"request-row",children:n("button",{type:"button",id:"forget",onClick:()=>{l.value=!0},children:"\
Forget this browser…"})}),n("p",{class:"note",children:"That takes away the login, what was read, drafts and what was seen, in all tabs. The sessions themselv\
es stay with the daemon."}),n("button",{class:"primary",children:"Close"})]})]})}function jt(t){return t>=1<<30?`${t/(1<<30)} GiB`:t>=1<<20?`${Math.round(t/(1<<
20))} MiB`:t>=1024?`${Math.round(t/1024)} KiB`:`${t} bytes`}function ne(){let t=document.querySelector(".pane.focused");(t?.querySelector(".log")??t)?.focus({preventScroll:!0})}var H=()=>R.value.view==="session",Zt=({feed:t})=>R.value.view==="session"&&O(t.sessions.value.get(R.value.id)),Xe=()=>R.value.view==="session"&&R.value.beside!==
void 0,Q=t=>()=>{let e=R.peek();if(e.view==="session"){let{entry:s,at:o,...i}=e;q({...i,part:t})}},Te=[{keys:".",words:"everything that can be done or gone to",
does:({palette:t})=>t("all")},{keys:"a",words:"the next request that needs you",does:({feed:t})=>rs(t),command:"Next request that needs you",when:({feed:t})=>t.
inbox.total.value>0},{keys:"y",words:"allow once: the request that has the focus"},{keys:"n",words:"deny: the request that has the focus"},{keys:"j k",words:"do\
wn and up, in the list or among requests"},{keys:"enter",words:"open what has the focus"},{keys:"p",words:"write to the session that is shown",does:()=>se("[dat\
a-composer]")?.focus(),command:"Write to this session",when:Zt},{keys:"f",words:"find in what was said there",does:()=>se(".find-open")?.click(),command:"Find i\
n this session",when:H},{keys:"shift f",words:"search what was said in all sessions that this browser keeps",does:({palette:t})=>t("said"),command:"Search what \
was said in all sessions"},{keys:"s",words:"its settings: name, model, approvals, end",does:()=>se(".head .settings")?.click(),command:"Settings of this session\
: name, model, approvals, end, delete",when:Zt},{keys:"b",words:"another session beside it",does:({palette:t})=>{H()&&t("beside")},command:"Show another session\
 beside this one",when:H},{keys:"h l",words:"the session to the left and to the right, where several are shown"},{keys:"q",words:"close the one that has the key\
s",does:()=>{let t=R.peek();Xe()&&t.view==="session"&&(q(ue(t,G(t))),requestAnimationFrame(ne))},command:"Close this pane",when:Xe},{keys:"shift x",words:"inter\
rupt the session that is shown",does:()=>se(".head .stop")?.click(),command:"Interrupt this session",when:()=>H()&&se(".head .stop")!==void 0},{keys:"c",words:"\
begin a session",does:({begin:t})=>t(),command:"New session",when:A},{keys:"/",words:"filter the list; enter there searches what was said",command:"Filter the l\
ist of sessions",does:({filter:t})=>{t()?.offsetParent===null&&q({view:"home"}),requestAnimationFrame(()=>t()?.focus())}},{keys:"g i",words:"everything that is \
asked",does:()=>q({view:"inbox"}),command:"Inbox: everything that is asked"},{keys:"g r",words:"the list of sessions",does:()=>q({view:"home"}),command:"List of\
 sessions"},{keys:"g s",words:"what was said",does:Q("talk"),command:"Transcript of this session",when:H},{keys:"g d",words:"changes of files",does:Q("changes"),
command:"Changes: diffs by file",when:H},{keys:"g t",words:"the session as it was",does:Q("time"),command:"Time: the session as it was",when:H},{keys:"g u",words:"\
tokens and cost",does:Q("usage"),command:"Usage: tokens and cost",when:H},{keys:"g n",words:"native lines",does:Q("raw"),command:"Raw: native lines and events",
when:H},{keys:"g o",words:"the daemons on the same Core",does:({nodes:t})=>t(),command:"Nodes: the daemons on the same Core"},{keys:"esc",words:"back",does:()=>{
let t=R.peek();t.view==="session"&&t.part!==void 0?Q("talk")():t.view!=="home"&&q({view:"home"})}},{keys:"?",words:"these keys",does:({help:t})=>t(!0),command:"\
Keys"},{keys:"",words:"",does:()=>{let t=R.peek();if(t.view==="session"){let{beside:e,pane:s,...o}=t;q(o)}},command:"Show this session alone",when:Xe}],nn=Te.filter(
t=>t.keys!=="").map(t=>[t.keys,t.words]);function sn(t){return Te.filter(e=>e.command!==void 0&&e.does!==void 0&&(e.when?.(t)??!0)).map(e=>({id:e.command,name:e.
command,note:e.keys,does:()=>requestAnimationFrame(()=>e.does(t))}))}var os={esc:"Escape","shift x":"X","shift f":"F"},on=new Map(Te.filter(t=>t.does!==void 0&&
t.keys!==""&&!t.keys.startsWith("g ")).map(t=>[os[t.keys]??t.keys,t.does])),is=new Map(Te.filter(t=>t.keys.startsWith("g ")).map(t=>[t.keys.slice(2),t.does]));on.
set("j",()=>tn(1)).set("k",()=>tn(-1)).set("h",()=>en(-1)).set("l",()=>en(1));function rn(t){let e=!1;return s=>{if(s.defaultPrevented||s.metaKey||s.ctrlKey||s.
altKey||s.target instanceof Element&&s.target.closest("input, textarea, select, [contenteditable]")!==null)return;let o=e;if(e=s.key==="g",t.isOpen()||document.
querySelector("dialog[open]")!==null)return;let i=(o?is:on).get(s.key);i!==void 0&&(s.preventDefault(),i(t))}}function se(t){return document.querySelector(".pan\
e.focused, .main > .session")?.querySelector(t)??void 0}function en(t){let e=R.peek(),s=e.view==="session"?le(e)[G(e)+t]:void 0;s!==void 0&&(q(s,!0),requestAnimationFrame(
()=>setTimeout(ne)))}function tn(t){let e=document.querySelector(".pane.focused")??document.querySelector(".main"),s=e?.contains(document.activeElement)===!0,o=[
...e?.querySelectorAll("[data-request]")??[]],i=[...document.querySelectorAll("[data-row]")].filter(c=>c.offsetParent!==null),r=s&&o.length>0||i.length===0?o:i,
l=r.findIndex(c=>c.contains(document.activeElement)),a=l<0?t>0?0:r.length-1:Math.min(r.length-1,Math.max(0,l+t));an(r[a])}function rs(t){let e=t.inbox.requests.
peek().map(M);if(e.length===0)return;let s=document.activeElement?.closest("[data-request]")?.dataset.request,o=e[(e.indexOf(s??"")+1)%e.length];R.value.view===
"session"?q({view:"inbox"}):(document.querySelector(We(o))===null||document.querySelector(We(o)).offsetParent===null)&&q({view:"inbox"}),requestAnimationFrame(()=>setTimeout(
()=>an(document.querySelector(We(o)))))}function We(t){return`[data-request="${CSS.escape(t)}"]`}function an(t){t?.focus(),t?.scrollIntoView({block:"nearest"})}function ln({close:t}){let e=P(null);return w(()=>e.current?.showModal(),[]),n("dialog",{ref:e,class:"help","aria-labelledby":"help-title",onClose:t,children:[n(
"h2",{id:"help-title",children:"Keys"}),n("dl",{children:nn.map(([s,o])=>n("div",{children:[n("dt",{children:s.split(" ").map(i=>n("kbd",{children:i},i))}),n("d\
d",{children:o})]},s))}),n("form",{method:"dialog",children:n("button",{class:"primary",children:"Close"})})]})}var N=b(Date.now());setInterval(()=>{document.visibilityState==="visible"&&(N.value=Date.now())},1e3);document.addEventListener("visibilitychange",()=>N.value=Date.
now());var J={allow_once:{words:"Allow once",key:"y",class:"primary"},allow_always:{words:"Always allow",class:""},deny:{words:"Deny",key:"n",class:""},deny_stop:{words:"\
Deny and stop",class:"danger"}};function un(t,e){return t==="allow_once"&&e===""||t==="deny"||t==="deny_stop"}function dn(t){return[...Object.keys(J).filter(e=>t.
some(s=>s.id===e)),...t.map(e=>e.id).filter(e=>!(e in J))]}function cn(t,e){return Object.entries(J).find(([s,o])=>o.key===t&&e.some(i=>i.id===s))?.[0]}function pn(t,e){
return!e&&!t.metaKey&&!t.ctrlKey&&!t.altKey&&!t.repeat&&(t.key==="y"||t.key==="n")}var as={ask:"asks about everything",allow_reads:"allows what only reads",allow_all:"allows everything",deny_all:"denies everything"};function mn(t,e){if(t.kind===
"question"||t.kind==="elicitation")return"The agent asks; no policy answers questions.";if(t.kind!=="approval")return"";if(t.guarded===!0)return"It reaches into\
 the daemon’s own folder, which no policy answers.";let s=e?.rules?.length??0;if(e===void 0||s===0&&e.mode===void 0)return"This session has no policy, so ever\
y approval is asked.";let o=e.mode===void 0?"":`The policy ${as[e.mode]??e.mode}`,i=s===0?"":`none of its ${s===1?"rules, one in all,":`${s} rules`} answers thi\
s`;return[o||"The policy has no mode",i].filter(r=>r!=="").join("; ")+(o===""||e.mode==="ask"?".":", and this is not covered.")}function fn(t,e){if(t.deadline===
void 0)return"";let s=Math.max(0,Math.ceil((t.deadline-e)/1e3)),o=s>=3600?`${Math.floor(s/3600)} h ${Math.floor(s%3600/60)} min`:`${Math.floor(s/60)}:${String(s%
60).padStart(2,"0")}`,i={allow:"allowed",deny:"denied",deny_stop:"denied, and the turn stopped"};return t.default===void 0?`The agent goes on without an answer \
in ${o}.`:`It is ${i[t.default]??t.default} in ${o}.`}function hn({request:t,unseen:e,pressed:s,answer:o}){let i=f(""),r=f(""),l=f(!1),a=t.options??[],c=d=>{let g=r.peek().trim();o({option:d,...g===""?{}:{message:g}},
J[d]?.words??d)},u=d=>{un(d,e)?c(d):i.value=d};F(()=>{let d=s.value;if(d==="")return;s.value="";let g=cn(d,a);g!==void 0&&u(g)});let m=P(null);if(w(()=>{i.peek()===
"allow_once"&&(m.current?.closest("article")?.focus(),i.value="")},[e]),i.value!==""){let d=a.find(k=>k.id===i.value),g=i.value==="allow_once";return n("div",{class:"\
answers",role:"group","aria-label":g?"Allow what is not shown whole?":"Allow for always?",ref:m,children:[n("p",{class:"twice",children:g?e:p(d?.description??"T\
he agent will not ask again for the like of this.")}),n("button",{type:"button",class:"danger",onClick:()=>c(i.value),children:["Yes, ",p((J[i.value]?.words??d?.
label??i.value).toLowerCase())]}),n("button",{type:"button",ref:k=>k?.focus(),onClick:()=>{i.value=""},children:"Not yet"})]})}return n(T,{children:[l.value?n("\
label",{class:"message",children:["Message to the agent, with your answer",n("textarea",{rows:2,dir:"auto",ref:d=>{d!==null&&r.peek()===""&&d.focus()},value:r.value,
onInput:d=>{r.value=d.currentTarget.value}})]}):null,n("div",{class:"answers",role:"group","aria-label":"Answers",children:[dn(a).map(d=>n("button",{type:"butto\
n",class:J[d]?.class??"",title:a.find(g=>g.id===d)?.description,onClick:()=>u(d),children:[J[d]?.words??p(a.find(g=>g.id===d)?.label??d),J[d]?.key===void 0?null:
n("kbd",{"aria-hidden":"true",children:J[d].key})]},d)),l.value?null:n("button",{type:"button",class:"quiet",onClick:()=>{l.value=!0},children:"Message…"})]})]})}function gn({request:t,answer:e}){let s=t.questions??[],o=f(s.map(()=>[])),i=f(s.map(u=>u.prefill??"")),r=s.map((u,m)=>[...o.value[m],...Be(u)&&i.value[m].trim()!==
""?[i.value[m]]:[]]),l=r.every(u=>u.length>0),a=(u,m,d)=>{let g=o.peek()[u],k=d?g.includes(m)?g.filter(y=>y!==m):[...g,m]:[m];o.value=o.peek().map((y,x)=>x===u?
k:y),!d&&Be(s[u])&&(i.value=i.peek().map((y,x)=>x===u?"":y))},c=(u,m)=>{i.value=i.peek().map((d,g)=>g===u?m:d),s[u].multiple!==!0&&m!==""&&(o.value=o.peek().map(
(d,g)=>g===u?[]:d))};return n("form",{class:"questions",onSubmit:u=>{u.preventDefault(),l&&e({answers:r},r.flat().join(", "))},children:[s.map((u,m)=>n(ls,{question:u,
isOnly:s.length===1&&u.text===t.title,chosen:o.value[m],typed:i.value[m],choose:d=>a(m,d,u.multiple===!0),write:d=>c(m,d)},m)),n("div",{class:"answers",children:[
n("button",{type:"submit",class:"primary",disabled:!l,children:"Answer"}),n("button",{type:"button",class:"quiet",onClick:()=>e({outcome:"cancelled"},"no answer"),
children:"Dismiss"})]})]})}function Be(t){return t.freeText===!0||(t.options??[]).length===0}function ls({question:t,isOnly:e,chosen:s,typed:o,choose:i,write:r}){
let l=Qe();return n("fieldset",{children:[n("legend",{class:e?"unseen":"",dir:"auto",children:p(t.text)}),t.options?.map(a=>n("label",{class:"option",children:[
n("input",{type:t.multiple===!0?"checkbox":"radio",name:l,checked:s.includes(a.id),onChange:()=>i(a.id)}),n("span",{dir:"auto",children:[p(a.label??a.id),a.description===
void 0?null:n("small",{children:p(a.description)})]})]},a.id)),Be(t)?n("textarea",{rows:2,dir:"auto","aria-label":`Answer: ${p(t.text)}`,value:o,onInput:a=>r(a.
currentTarget.value)}):null]})}function Pe({sessionId:t,request:e,openedMs:s,call:o,read:i,policy:r,from:l}){let{inbox:a,link:c,sessions:u}=S(),m=O(u.value.get(t)),d=`${t}/${e.requestId}`,g=a.
sending.value.get(d),k=a.failed.value.get(d),y=f(""),x=f(!1),E=(h,W)=>{a.answer(t,e.requestId,h,W)},X=e.kind==="approval"?`${e.toolName??"The agent"}${e.subject!==
void 0&&e.toolKind!=="execute"?` ${e.subject}`:""}`:e.title,v=fn(e,N.value);return n("article",{class:`request request-${e.kind}`,tabIndex:0,"data-request":d,"a\
ria-label":`${e.kind==="approval"?"Approval":"Question"}: ${p(X)}`,"aria-busy":g!==void 0,onKeyDown:h=>{let W=h.target instanceof HTMLElement&&h.target.closest(
"input, textarea, select")!==null;e.kind==="approval"&&m&&g===void 0&&pn(h,W)&&(h.preventDefault(),y.value=h.key)},children:[l===void 0?null:n("header",{children:[
l,n("span",{class:"request-age",children:j(N.value-s)})]}),n("header",{children:[n("h3",{dir:"auto",children:e.kind==="approval"?n(T,{children:[n("span",{class:"\
asks",children:"wants"})," ",p(X)]}):p(X)}),l===void 0?n("span",{class:"request-age",children:j(N.value-s)}):null]}),n(yt,{request:e.kind==="approval"||e.kind===
"caller_tool"?e:{...e,subject:void 0},call:o,isFolded:x}),n("p",{class:"reason",children:[mn(e,r)," ",v===""?null:n("strong",{class:"deadline",children:v})]}),k===
void 0?null:n("p",{class:"error",role:"alert",children:p(k)}),g!==void 0?n("p",{class:"sending",role:"status",children:["Sending: ",p(g),"…",c.value==="away"?
" The daemon does not answer yet.":""]}):null,m?null:n("p",{class:"note",children:A()?"Another node has this session: it is answered there.":"This login only re\
ads: it is answered elsewhere."}),n("div",{class:g===void 0?"":"waits",inert:g!==void 0,hidden:!m,children:[e.kind==="approval"?n(hn,{request:e,unseen:vt(e,o,i,
x.value),pressed:y,answer:E}):null,e.kind==="question"||e.kind==="elicitation"?n(gn,{request:e,answer:E}):null,e.kind==="caller_tool"?n("p",{class:"note",children:[
"The program “",p(e.callerId??""),"” answers this."]}):null]})]})}function vn(){let t=S(),e=t.inbox.requests.value,s=Math.max(e.length,t.inbox.total.value),o=P(null),i=P(!1);return w(()=>{i.current&&document.activeElement===document.
body&&o.current?.focus()},[e]),n("div",{class:"inbox",ref:o,tabIndex:-1,onFocusIn:()=>{i.current=!0},onFocusOut:r=>{i.current=r.relatedTarget===null||o.current?.
contains(r.relatedTarget)===!0},children:[n("h2",{children:e.length===0?t.inbox.isRead.value?"Nothing needs you":"Inbox":`${Y(s,"request")} ${s===1?"needs":"nee\
d"} you`}),e.map(r=>n(ds,{item:r},M(r))),s>e.length?n("p",{class:"empty",children:[s-e.length," more follow when these are answered."]}):null,e.length===0?n("p",
{class:"empty",children:t.inbox.isRead.value?us(t.sessions.value.size):"Reading what is asked…"}):null]})}function us(t){return t===0?"What agents ask will sh\
ow here. There is no session yet: begin one with New, or in a terminal.":"What agents ask in any session shows here: approvals with their diff or command, and q\
uestions. Choose a session to read along."}function ds({item:t}){let e=S(),s=f({entry:void 0,read:"reading"}),o=M(t);w(()=>{let r=!0;return e.inbox.call(t).then(
l=>{r&&(s.value={entry:l,read:l===void 0?"failed":"read"})}),()=>{r=!1}},[o]);let i=n("a",{class:"from",href:`/s/${t.sessionId}`,"data-place":!0,dir:"auto",children:[
n("strong",{children:p(C(t))}),n("span",{children:[n("bdi",{children:p(t.agent)})," · ",n("bdi",{children:p(U(t.cwd))})]})]});return n(Pe,{sessionId:t.sessionId,
request:t.request,openedMs:Date.parse(t.openedAt),call:s.value.entry,read:s.value.read,policy:e.sessions.value.get(t.sessionId)?.policy,from:i})}function yn({close:t}){let e=S(),s=P(null),o=[...e.agents.value.values()],i=o.filter(v=>v.available),r=[...e.sessions.peek().values()].sort((v,h)=>Date.parse(h.
updatedAt)-Date.parse(v.updatedAt))[0],l=f(i.find(v=>v.name===r?.agent)?.name??i[0]?.name??""),a=f([]),c=f(r?.cwd??""),u=f(""),m=f(""),d=f(""),g=f(""),k=f(!1),y=P(
ee());w(()=>{s.current?.showModal(),e.client.roots().then(v=>{a.value=v,c.value||=v[0]??""},()=>{})},[]),F(()=>{l.value||=[...e.agents.value.values()].find(v=>v.
available)?.name??""}),F(()=>{g.value!==""&&e.sessions.value.has(g.value)&&(q({view:"session",id:g.value}),t())});let x=async()=>{k.value=!0,d.value="";let v=m.
peek().trim();try{let{id:h}=await e.client.create({agent:l.peek(),cwd:c.peek().trim(),...u.peek()===""?{}:{model:u.peek()},...v===""?{}:{prompt:m.peek()}},{key:y.
current});g.value=h}catch(h){d.value=I(h),k.value=!1}},E=e.agents.value.get(l.value)?.models??[],X=[...new Set([...a.value,...[...e.sessions.peek().values()].map(
v=>v.cwd)])].slice(0,50);return n("dialog",{ref:s,class:"new","aria-labelledby":"new-title",onClose:t,children:[n("h2",{id:"new-title",children:"New session"}),
e.agents.value.size>0&&i.length===0?n("p",{class:"error",children:["No agent is installed that could work. ",n("code",{children:"ringmaster doctor"})," says wha\
t is missing."]}):null,n("form",{onSubmit:v=>{v.preventDefault(),x()},children:[n("label",{children:["Agent",n("select",{value:l.value,onChange:v=>{l.value=v.currentTarget.
value,u.value=""},children:o.map(v=>n("option",{value:v.name,disabled:!v.available,children:[p(v.name),v.available?"":" (not installed)"]},v.name))})]}),n("labe\
l",{children:["Folder",n("input",{list:"new-folders",required:!0,autocomplete:"off",spellcheck:!1,value:c.value,onInput:v=>{c.value=v.currentTarget.value}}),n("\
datalist",{id:"new-folders",children:X.map(v=>n("option",{value:v},v))})]}),E.length===0?null:n("label",{children:["Model",n("select",{value:u.value,onChange:v=>{
u.value=v.currentTarget.value},children:[n("option",{value:"",children:"The agent’s own choice"}),E.map(v=>n("option",{value:v.id,children:p(v.label??v.id)},v.
id))]})]}),n("label",{children:["First prompt",n("textarea",{rows:4,dir:"auto",value:m.value,onInput:v=>{m.value=v.currentTarget.value}})]}),d.value===""?null:n(
"p",{class:"error",role:"alert",children:p(d.value)}),n("div",{class:"answers",children:[n("button",{class:"primary",disabled:k.value||l.value===""||c.value.trim()===
"",children:k.value?"Beginning…":"Begin"}),n("button",{type:"button",onClick:()=>s.current?.close(),children:"Cancel"})]})]})]})}function wn(){let{link:t,listAsOf:e}=S();return t.value!=="away"||e.value===0?null:n("p",{class:"kept",role:"status",id:"kept-list",children:["Offline. This lis\
t is as of ",n(kn,{at:e.value}),"."]})}function bn({session:t}){let{link:e}=S();return e.value!=="away"||t.seq.value===0?null:n("p",{class:"kept kept-log",role:"\
status",children:["Offline. What stands here goes up to ",n(kn,{at:t.fold.state.ts}),"; what came since is not in this browser."]})}function kn({at:t}){let e=new Date(
t),s=e.toDateString()===new Date().toDateString();return n("time",{dateTime:e.toISOString(),children:s?e.toLocaleTimeString():e.toLocaleString()})}var Ke=matchMedia("(max-width: 55rem)"),qe=b(Ke.matches);Ke.addEventListener("change",()=>qe.value=Ke.matches);function Ee({list:t}){return n(T,{children:t.map((e,s)=>n(T,{children:[s===0?"":" · ",n("bdi",{children:p(e)})]},s))})}var cs=L(()=>import("./part-4MOAMDJX.js").then(t=>t.Controls));function Sn({id:t,session:e}){let{feed:s}=B(),o=s.sessions.value.get(t),i=f(""),r=f(!1),l=f(
!1),{state:a,toolName:c,stalled:u}=(e.head.value>=0&&e.isWhole.value?e.fold.state.status:void 0)??o.status,m=a==="idle"&&ht(o.lastTurn),d=!["idle","completed","\
terminated","failed","interrupting","starting"].includes(a),g=async()=>{r.value=!0,i.value="";try{await s.client.session(t).interrupt()}catch(E){i.value=I(E)}r.
value=!1},{costMicros:k,totalTokens:y}=o.spent,x=[o.node===void 0?"":`at ${p(o.node.slice(0,8))}${o.unreachable?", unreachable":""}`,o.agent,e.fold.state.model??
o.model??"",U(o.cwd),y>0?`${st(y)} tokens`:"",ie(k)].filter(E=>E!=="");return n(T,{children:[n("header",{class:`head${d?" works":""}`,children:[n("a",{class:"ba\
ck",href:"/","data-place":!0,"aria-label":"Back to all sessions",children:"←"}),n("div",{class:"head-names",children:[n("h2",{dir:"auto",children:p(C(o))}),n(
"p",{class:"head-facts",title:p(o.cwd),children:n(Ee,{list:x})})]}),n("p",{class:`state state-${m||o.unreachable?"failed":ps(a)}`,role:"status",children:[n("spa\
n",{class:"dot","aria-hidden":"true"}),m?"its turn failed":re(a,p(c??"")),u?", says nothing":"",o.unreachable?", unreachable":""]}),O(o)?n("button",{type:"butto\
n",class:"quiet settings",title:"Name, model, approvals, end (s)","aria-label":"Settings",onClick:()=>{l.value=!0},children:[n("span",{class:"on-wide",children:"\
Settings"}),n("span",{class:"on-phone","aria-hidden":"true",children:"⋯"})]}):null,d&&O(o)?n("button",{type:"button",class:"stop",disabled:r.value,"aria-label":r.
value?"Stopping…":"Interrupt",title:"Stop the running turn (shift x)",onClick:()=>{g()},children:[n("span",{class:"on-wide",children:r.value?"Stopping…":"In\
terrupt"}),n("span",{class:"on-phone","aria-hidden":"true",children:r.value?"…":"■"})]}):null,i.value===""?null:n("p",{class:"error",role:"alert",children:p(
i.value)})]}),l.value?n(cs,{id:t,session:e,close:()=>{l.value=!1}}):null]})}function ps(t){return t.startsWith("awaiting")?"needs":t==="failed"?"failed":t==="id\
le"?"idle":t==="completed"||t==="terminated"?"ended":"working"}var ms=[["talk","Transcript"],["changes","Changes"],["time","Time"],["usage","Usage"],["raw","Raw"]];function xn({here:t,find:e}){let s=t.part??"talk",{entry:o,
at:i,...r}=t;return n("nav",{class:"parts","aria-label":t.beside===void 0?"Views of this session":`Views of pane ${G(t)+1}`,children:[ms.map(([l,a])=>n("a",{href:Z(
{...r,part:l}),"data-place":!0,"data-part":l,"aria-current":l===s?"page":void 0,children:a},l)),n("button",{type:"button",class:"quiet small find-open",title:"F\
ind in what was said (f)",onClick:e,children:"Find"})]})}function Tn({pictures:t,isSending:e,detach:s}){return t.length===0?null:n("ul",{class:"pictures","aria-label":"Images of this prompt",children:t.map((o,i)=>n(fs,
{picture:o,number:i+1,isSending:e,detach:s},`${i}/${o.name}/${o.blob.size}`))})}function fs({picture:t,number:e,isSending:s,detach:o}){let i=D(()=>URL.createObjectURL(
t.blob),[t]);w(()=>()=>URL.revokeObjectURL(i),[i]);let r=t.name===""?`Image ${e}`:t.name;return n("li",{children:[n("img",{src:i,alt:r,title:r,onLoad:({currentTarget:{
naturalWidth:l,naturalHeight:a}})=>{l*a>K.pixels&&o(t,`“${r}” has ${l} × ${a} points; one image may have ${Math.round(K.pixels/1e6)} million.`)},onError:()=>o(
t,`“${r}” cannot be read as an image.`)}),n("button",{type:"button",class:"small",disabled:s,"aria-label":`Take ${r} out`,onClick:()=>o(t),children:"✕"})]})}function Pn({id:t,session:e}){let{feed:s,drafts:o}=B(),i=o.of(t).value,r=P(null),l=P(null),a=f(!1),c=e.head.value>=0?e.fold.state.status:void 0,u=s.sessions.value.
get(t),m=c?.state??u?.status.state??"idle",d=!["idle","completed","terminated","failed"].includes(m),g=s.agents.value.get(u?.agent??"")?.capabilities,k=d&&g?.steer===
!0,y=g?.images===!0,x=s.link.value==="away";w(()=>{let h=r.current;h.style.height="",i.text!==""&&(h.style.height=`${Math.min(h.scrollHeight+2,240)}px`)},[i.text]);
let E=h=>{o.send(s.client,t,h)},X=h=>{let W=[...h??[]];return W.length>0&&y&&!i.isSending&&o.attach(t,W),W.length>0},v=i.isReading||i.text.trim()===""&&i.pictures.
length===0;return n("form",{class:`composer${a.value?" over":""}`,"aria-label":`Write to ${p(C(u??{}))}`,onSubmit:h=>{h.preventDefault(),E()},onDragOver:h=>{h.dataTransfer?.
types.includes("Files")&&(h.preventDefault(),h.dataTransfer.dropEffect=y?"copy":"none",a.value=y)},onDragLeave:()=>{a.value=!1},onDrop:h=>{a.value=!1,X(h.dataTransfer?.
files)&&h.preventDefault()},children:[n(Tn,{pictures:i.pictures,isSending:i.isSending,detach:(h,W)=>o.detach(t,h,W)}),n("textarea",{ref:r,rows:1,dir:"auto","ari\
a-label":"Prompt","data-composer":!0,placeholder:d?"Follow up when this turn ends…":"Write a prompt…",value:i.text,readOnly:i.isSending||i.isReading,onInput:h=>o.
write(t,h.currentTarget.value),onPaste:h=>{y&&X(h.clipboardData?.files)&&h.preventDefault()},onKeyDown:h=>{h.key==="Enter"&&!h.shiftKey&&!h.isComposing?(h.preventDefault(),
E((h.ctrlKey||h.metaKey)&&k?"steer":void 0)):h.key==="Escape"&&(h.stopPropagation(),h.currentTarget.blur())}}),n("div",{class:"composer-row",children:[n("p",{class:i.
error!==""?"error":i.isSending||x?"note":"note hint",role:"status",children:i.isSending?"Sending…":i.error!==""?p(i.error):x?"The daemon does not answer. What\
 you write is kept here.":d?"Enter queues it for the end of this turn.":"Enter sends, Shift Enter makes a new line."}),y?n(T,{children:[n("input",{ref:l,type:"f\
ile",class:"unseen",tabIndex:-1,"aria-hidden":"true",accept:Pt,multiple:!0,onChange:h=>{X(h.currentTarget.files),h.currentTarget.value=""}}),n("button",{type:"b\
utton",class:"quiet",disabled:i.isSending,title:"PNG, JPEG, GIF or WebP, at most 8 of at most 10 MiB; they can be pasted and dropped, too",onClick:()=>l.current?.
click(),children:"Image…"})]}):null,k?n("button",{type:"button",disabled:v||i.isSending,onClick:()=>E("steer"),title:"Goes into the running turn (Ctrl Enter)",
children:"Steer"}):null,n("button",{type:"submit",class:"primary",disabled:v||i.isSending,children:d?"Follow up":"Send"})]})]})}function qn({id:t,session:e}){let s=S(),o=f(""),i=f(""),r=e.head.value>=0?e.fold.state.queue:[];if(r.length===0)return null;let l=async(c,u)=>{o.value=c,i.value=
"";try{await u()}catch(m){i.value=I(m)}o.value=""},a=s.client.session(t);return n("section",{class:"queue","aria-label":`Prompts that wait: ${p(C(s.sessions.value.
get(t)??{}))}`,children:[n("h3",{children:["Waiting ",n("span",{class:"count",children:r.length})]}),i.value===""?null:n("p",{class:"error",role:"alert",children:p(
i.value)}),n("ol",{children:r.map((c,u)=>n("li",{"aria-busy":o.value===c.promptId,children:[n("span",{class:"queue-text",dir:"auto",children:[c.streamingBehavior===
"steer"?n("span",{class:"kind",children:"steer "}):null,p(c.text.split(`
`)[0]??"")]}),O(s.sessions.value.get(t))?n(T,{children:[n("button",{type:"button",class:"quiet small","aria-label":"Move up",disabled:u===0||o.value!=="",onClick:()=>{
l(c.promptId,()=>a.move(c.promptId,{position:u}))},children:"↑"}),n("button",{type:"button",class:"quiet small","aria-label":"Move down",disabled:u===r.length-
1||o.value!=="",onClick:()=>{l(c.promptId,()=>a.move(c.promptId,{position:u+2}))},children:"↓"}),n("button",{type:"button",class:"quiet small","aria-label":"T\
ake out of the queue",disabled:o.value!=="",onClick:()=>{l(c.promptId,()=>a.cancel(c.promptId))},children:"✕"})]}):null]},c.promptId))})]})}function En({id:t,session:e,entry:s}){let{feed:o}=B(),i=o.sessions.value.get(t),r=f(!0),l=P(ae.peek()[t]);F(()=>{N.value>0&&r.value&&document.visibilityState===
"visible"&&rt(t,e.seq.value)});let a=e.isWhole.value,c=a&&e.entries.value.length===0,u=s!==void 0&&a&&e.fold.entry(s)===void 0;return n(T,{children:[u?n("p",{class:"\
notice",role:"status",children:["This log has no entry ",n("code",{children:p(s)}),": the link is of another session, or of one that was begun anew."]}):null,n(
wt,{session:e,isAtEnd:r,target:s,seen:l.current,tail:n(T,{children:[a?null:n("p",{class:"empty",children:"Reading the log…"}),c&&e.fold.state.turns.length===0&&
e.fold.state.end===void 0?n("p",{class:"empty",children:["Nothing was said yet.",O(i)?" Write the first prompt below.":""]}):null,e.trouble.value===""?null:n("p",
{class:"error",children:e.trouble.value}),n(hs,{id:t,session:e}),n(gs,{session:e})]})}),n(qn,{id:t,session:e}),O(i)?n(Pn,{id:t,session:e}):n("p",{class:"empty",
children:A()?"Another node has this session: it is read here, and led there.":"This login only reads."})]})}function hs({id:t,session:e}){let s=e.head.value>=0?
e.fold.openRequests:[];return!e.isWhole.value||s.length===0?null:n("div",{class:"asked",children:s.map(o=>{let i=o.entryId===void 0?void 0:e.entry(o.entryId);return n(
Pe,{sessionId:t,request:o,openedMs:o.openedTs,call:i,read:i===void 0?"failed":"read",policy:e.fold.state.policy},`${o.requestId}/${o.openedSeq}`)})})}function gs({
session:t}){let e=t.head.value>=0?t.fold.state.end:void 0;return e===void 0?null:n("div",{class:e.reason==="error"?"failure":"mark ended",children:[n("p",{children:[
n("strong",{children:e.reason==="error"?"The session failed.":"The session has ended."})," ",e.error===void 0?null:n("span",{dir:"auto",children:p(e.error)})]}),
e.hint===void 0?null:n("p",{dir:"auto",children:p(e.hint)})]})}var vs=L(()=>import("./part-6OKX2C2A.js").then(t=>t.Raw)),ys=L(()=>import("./part-XHM4N65T.js").then(t=>t.Changes)),ws=L(()=>import("./part-76S5YT5I.js").
then(t=>t.Usage)),bs=L(()=>import("./part-DDUFMTR4.js").then(t=>t.Find)),ks=L(()=>import("./part-LGX46AWG.js").then(t=>t.Time));function He({here:t}){
let{id:e}=t,{feed:s,drafts:o}=B(),i=s.sessions.value.get(e),r=i!==void 0,l=D(()=>r?s.follow(e):void 0,[s,e,r]);return w(()=>{l!==void 0&&(l.onEvent=a=>{a.type===
"prompt_queued"&&o.taken(e,a.idempotencyKey)})},[l]),l===void 0||i===void 0?n("div",{class:"nothing",children:[n("a",{class:"back",href:"/","data-place":!0,children:"\
← Sessions"}),s.isListed.value?n(T,{children:[n("h2",{children:"No such session"}),n("p",{class:"empty",children:["There is none with the id ",n("code",{children:p(
e)})," within the reach of this login. It may have been removed."]})]}):n("p",{class:"empty",children:"Reading the list of sessions…"})]}):n(Ss,{here:t,session:l},
e)}function Ss({here:t,session:e}){let{feed:s}=B(),o=f(!1),{id:i}=t,r=()=>{if(o.value=!0,t.part!==void 0&&t.part!=="talk"){let{part:a,at:c,...u}=t;q(u)}},l=t.part===
void 0||t.part==="talk";return n("section",{class:"session","aria-label":p(C(s.sessions.value.get(i)??{})),children:[n(Sn,{id:i,session:e}),n(bn,{session:e}),n(
xn,{here:t,find:r}),o.value&&l?n(bs,{session:e,here:t,close:()=>{o.value=!1}}):null,l?n(En,{id:i,session:e,entry:t.entry}):e.isWhole.value?n(xs,{here:t,session:e}):
n("p",{class:"empty",role:"status",children:"Reading the log…"})]})}function xs({here:t,session:e}){switch(t.part){case"changes":return n(ys,{session:e});case"\
usage":return n(ws,{session:e});case"time":return n(ks,{session:e,here:t});default:return n(vs,{session:e})}}function Rn({here:t}){let e=S(),s=le(t),o=G(t),i=P(null),r=s.map(a=>a.id);if(D(()=>e.show(r),[e,r.join()]),w(()=>{let a=document.activeElement,c=i.current?.querySelector(
".pane.focused");c?.scrollIntoView({block:"nearest",inline:"nearest"}),c&&!c.contains(a)&&(a===document.body||a?.closest(".pane")!=null)&&ne()},[t.id]),s.length===
1)return n(He,{here:t},t.id);let l=qe.value?[t]:s;return n("div",{class:"grid",ref:i,children:[qe.value?n("nav",{class:"pane-names","aria-label":"Sessions besid\
e each other",children:s.map((a,c)=>n("a",{href:Z(a),"data-place":!0,"aria-current":c===o?"true":void 0,dir:"auto",children:p(C(e.sessions.value.get(a.id)??{}))},
a.id))}):null,n("div",{class:`panes panes-${l.length}`,children:l.map(a=>{let c=r.indexOf(a.id),u=m=>{c!==o&&m.target.closest(".pane-close")===null&&q(a,!0)};return n(
"div",{class:`pane${c===o?" focused":""}`,role:"group",tabIndex:-1,"aria-label":`Pane ${c+1} of ${s.length}${c===o?", has the keys":""}`,onFocusIn:u,onPointerDown:u,
children:[n("a",{class:"pane-close",href:Z(ue(t,c)),"data-place":"alone","aria-label":"Close this pane",title:"Close this pane",children:"✕"}),n(He,{here:a})]},
a.id)})})]})}var Ts={needs:"!",failed:"✕",working:"◐",ready:"●",idle:"○",ended:"–"};function Cn({group:t}){return n("span",{class:`sign sign-${t}`,"aria-hidden":"t\
rue",children:Ts[t]})}function $n({filterBox:t,search:e}){let s=S(),o=f(""),i=oe(()=>gt(s.sessions.value.values(),s.inbox.requests.value,ae.value,o.value)),r=s.sessions.value.size,l=[
...i.value.values()].reduce((a,c)=>a+c.length,0);return n("nav",{class:"roster","aria-label":"Sessions",children:[n("div",{class:"filter",children:[n("input",{ref:a=>{
t.value=a},type:"search",placeholder:"Filter sessions","aria-label":"Filter sessions",autocomplete:"off",spellcheck:!1,value:o.value,onInput:a=>{o.value=a.currentTarget.
value},onKeyDown:a=>{a.key==="Escape"?(o.value="",a.currentTarget.blur(),a.stopPropagation()):a.key==="Enter"&&!a.isComposing&&o.peek().trim()!==""&&(a.preventDefault(),
e(o.peek()))}}),n("kbd",{"aria-hidden":"true",children:"/"})]}),n("div",{class:"groups",children:[mt.map(a=>{let c=i.value.get(a);return c.length===0?null:n("se\
ction",{class:`group group-${a}`,"aria-labelledby":`group-${a}`,children:[n("h2",{id:`group-${a}`,children:[ft[a]," ",n("span",{class:"count",children:c.length})]}),
n("ul",{children:c.map(u=>n(Ps,{row:u},u.session.id))})]},a)}),s.isListed.value?null:n("p",{class:"empty",children:"Reading the list of sessions…"}),s.isListed.
value&&r===0?n("div",{class:"empty",children:[n("p",{children:"No sessions yet."}),n("p",{children:A()?"Begin one with New, above, or in a terminal:":"One is be\
gun in a terminal:"}),n("p",{children:n("code",{children:'ringmaster run --agent claude "…"'})})]}):null,r>0&&l===0?n("p",{class:"empty",children:["No session\
 has “",p(o.value),"” in its name, agent, folder or labels."]}):null,o.value.trim()===""?null:n("p",{class:"filter-more",children:n("button",{type:"button",
class:"small",id:"search-said",onClick:()=>e(o.peek()),children:["Search what was said ",n("kbd",{"aria-hidden":"true",children:"enter"})]})})]})]})}function Ps({
row:t}){let e=t.session,s=R.value.view==="session"&&R.value.id===e.id,o=P(null);w(()=>{s&&qs(e.id)&&o.current?.scrollIntoView({block:"nearest"})},[s]);let i=Es(
t),r=ie(e.spent.costMicros);return n("li",{children:n("a",{class:`row${e.unreachable?" unreachable":""}`,ref:o,href:`/s/${e.id}`,"data-place":!0,"data-row":e.id,
"aria-current":s?"page":void 0,children:[n(Cn,{group:t.group}),n("span",{class:"row-name",dir:"auto",children:p(C(e))}),n("span",{class:"row-age",children:j(N.value-
Date.parse(t.requests[0]?.openedAt??e.updatedAt))}),i===""?null:n("span",{class:"row-what",dir:"auto",children:p(i)}),n("span",{class:"row-facts",children:n(Ee,
{list:[e.agent,U(e.cwd),t.below.length>0?Y(t.below.length,"sub-agent"):"",r].filter(l=>l!=="")})})]})})}var _e={id:"",until:0};function qs(t){let e=performance.
now();return _e.id!==t&&(_e={id:t,until:e+2e3}),e<_e.until}function Es({session:t,group:e,requests:s,below:o}){let i=s[0];if(i!==void 0){let u=i.request,m=s.length>
1?` (+${s.length-1})`:"";return`${u.kind==="approval"&&[u.toolName,u.subject].filter(Boolean).join(" ")||u.title}${m}${t.unreachable?" · unreachable":""}`}if(e===
"failed")return t.status.state==="failed"?t.endError??"failed":`its turn failed${t.lastTurn?.error===void 0?"":`: ${t.lastTurn.error}`}`;let r=o.filter(u=>u.status.
agentStatus!=="idle").length,a=[e==="idle"?"":e==="ready"?t.lastTurn?.status==="interrupted"?`its turn was interrupted ${ot[t.lastTurn.cause??""]??""}`.trim():"\
its turn has ended":re(t.status.state,t.status.toolName),t.status.stalled?"says nothing":"",t.status.queuedPrompts?`${Y(t.status.queuedPrompts,"prompt")} waitin\
g`:"",r>0?`${r} below at work`:""],c=t.marks?.find(u=>u.state==="reached")?"budget used up":"";return[...a,c,t.node!==void 0?`at ${t.node.slice(0,8)}${t.unreachable?
", unreachable":""}`:"",t.damage!==void 0?"log damaged":t.readOnly?"read-only":""].filter(u=>u!=="").join(" · ")}var Rs=L(()=>import("./part-WOL676MA.js").then(t=>t.Palette)),Cs=L(()=>import("./part-LROCOXUW.js").then(t=>t.Nodes));function In({notice:t,leave:e,
forget:s}){let o=S(),i=f(null),r=f(!1),l=f(!1),a=f(!1),c=f(!1),u=f(void 0),m=D(()=>({feed:o,filter:()=>i.peek(),help:y=>{r.value=y},begin:()=>{l.value=A()},palette:(y,x="")=>{
u.value={mode:y,text:x}},nodes:()=>{c.value=!0},isOpen:()=>r.peek()||l.peek()||u.peek()!==void 0||a.peek()||c.peek()}),[o]),d=o.inbox.isRead.value?o.inbox.total.
value:[...o.sessions.value.values()].filter(y=>y.status.state.startsWith("awaiting")).length,g=R.value;F(()=>{let y=o.inbox.total.value,x=R.value,E=x.view==="se\
ssion"?o.sessions.value.get(x.id):void 0;document.title=`${y>0?`(${y}) `:""}${E===void 0?"Ringmaster":`${p(C(E)).slice(0,80)} · Ringmaster`}`}),F(()=>{let y=o.
inbox.total.value,x=navigator,E=setTimeout(()=>{(y>0?x.setAppBadge?.(y):x.clearAppBadge?.())?.catch(()=>{})},1e3);return()=>clearTimeout(E)}),ze(()=>{let y=rn(m);
return document.addEventListener("keydown",y),()=>document.removeEventListener("keydown",y)},[m]),w(()=>Qt(o),[o]);let k=o.link.value;return n("main",{class:`sh\
ell view-${g.view}`,"data-role":o.role.value,children:[n("h1",{class:"unseen",children:"Ringmaster"}),n("div",{class:"side",children:[n("header",{class:"bar",children:[
n("a",{class:"brand",href:"/","data-place":!0,children:"Ringmaster"}),n("span",{class:`link link-${k}`,role:"status",children:k==="live"?n("span",{class:"unseen",
children:"connected"}):k==="away"?"daemon away":"connecting…"}),A()?n("button",{type:"button",class:"small",id:"new",title:"Begin a session (c)",onClick:()=>{
l.value=!0},children:"New"}):null,n("a",{class:`needs${d>0?" some":""}`,href:"/inbox","data-place":!0,"aria-current":g.view==="inbox"?"page":void 0,children:d>0?
`${d} need${d===1?"s":""} you`:"Inbox"})]}),t===""?null:n("p",{class:"notice",role:"status",id:"notice",children:p(t)}),n(wn,{}),n($n,{filterBox:i,search:y=>m.palette(
"said",y)}),n("footer",{class:"foot",children:[n("div",{class:"foot-row",children:[n("span",{id:"who",title:$.value?.expiresAt===void 0?"":`until ${new Date($.value.
expiresAt).toLocaleString()}`,children:p([$.value?.name,$.value?.scope&&`(${$.value.scope})`].filter(Boolean).join(" "))}),n("button",{type:"button",class:"quie\
t small",id:"leave",onClick:e,children:"Log out"})]}),n("div",{class:"foot-row",children:[_.value==="unable"?null:n("button",{type:"button",class:"quiet small",
id:"notices","aria-pressed":_.value==="on",title:"Tells you, while you look elsewhere, of requests and of turns that have ended",onClick:()=>{zt()},children:_.value===
"on"?"Notices on":"Notify me"}),n("button",{type:"button",class:"quiet small",onClick:()=>m.palette("all"),children:"Go to…"}),n("button",{type:"button",class:"\
quiet small",onClick:()=>{r.value=!0},children:"Keys"}),n($s,{open:m.nodes}),n("button",{type:"button",class:"quiet small",id:"this-browser",onClick:()=>{a.value=
!0},children:"This browser"})]})]})]}),n("div",{class:"main",children:g.view==="session"?n(Rn,{here:g}):n(T,{children:[n("a",{class:"back only-phone",href:"/","\
data-place":!0,children:"← Sessions"}),n(vn,{})]})}),n(Is,{}),l.value?n(yn,{close:()=>{l.value=!1}}):null,u.value===void 0?null:n(Rs,{...u.value,commands:sn(m),
close:()=>{u.value=void 0}},u.value.mode),a.value?n(Yt,{close:()=>{a.value=!1},forget:s}):null,c.value?n(Cs,{close:()=>{c.value=!1}}):null,r.value?n(ln,{close:()=>{
r.value=!1}}):null]})}function $s({open:t}){let e=S();return oe(()=>[...e.sessions.value.values()].some(o=>o.node!==void 0)).value?n("button",{type:"button",class:"\
quiet small",id:"open-nodes",title:"The daemons on the same Core (g o)",onClick:t,children:"Nodes"}):null}function Is(){let t=S(),e=f(""),s=f(void 0);return F(()=>{
let o=t.inbox.requests.value.length,i=s.peek();i!==void 0&&o>i?e.value=`An answer is needed: ${o} in all`:o===0&&(e.value=""),s.value=t.inbox.isRead.value?o:void 0}),
n("p",{class:"unseen",role:"status",children:e.value})}function An({notice:t}){let e=f(""),s=f(""),o=f(!1);return n("main",{class:"gate",id:"out",children:[n("h1",{children:"Ringmaster"}),t===""?null:n("p",{class:"n\
otice",role:"status",id:"notice",children:p(t)}),n("p",{children:"You are not logged in. Run this in a terminal of the daemon’s user; it opens this page logged \
in:"}),n("pre",{class:"command",children:"ringmaster web"}),n("details",{children:[n("summary",{children:"Log in with a token"}),n("form",{onSubmit:i=>{i.preventDefault(),
o.value=!0,Bt(e.peek().trim()).then(r=>{o.value=!1,s.value=r})},children:[n("label",{children:[n("span",{children:["Token, as ",n("code",{children:"ringmaster t\
oken create"})," gives it"]}),n("input",{type:"password",autocomplete:"off",spellcheck:!1,value:e.value,onInput:i=>{e.value=i.currentTarget.value}})]}),s.value===
""?null:n("p",{class:"error",role:"alert",children:p(s.value)}),n("button",{class:"primary",disabled:o.value||e.value.trim()==="",children:"Log in"})]})]})]})}function On({
done:t}){let e=f(!1);return n("main",{class:"gate",id:"link",children:[n("h1",{children:"Log in with this link?"}),n("p",{children:"A link from elsewhere would \
log this browser in. Go on only if you asked for it: whoever made the link sees what you do here."}),n("p",{class:"answers",children:[n("button",{id:"trade",type:"\
button",class:"primary",disabled:e.value,onClick:()=>{e.value=!0,xe().then(t)},children:"Log in with this link"}),n("button",{type:"button",onClick:()=>t(""),children:"\
No"})]})]})}var Ge=new he;function As({begin:t}){let e=f(t),s=f("");if(w(()=>{t==="trade"&&xe().then(i=>{s.value=i,e.value="rest"})},[]),e.value==="trade")return n("main",{
class:"gate",children:[n("h1",{children:"Ringmaster"}),n("p",{role:"status",children:"Logging in…"})]});if(e.value==="stranger")return n(On,{done:i=>{ce(),s.value=
i,e.value="rest"}});let o=$.value?.token;return o===void 0?n(An,{notice:s.value}):n(Os,{token:o,notice:s.value,say:i=>{s.value=i}},o)}function Os({token:t,notice:e,
say:s}){let o=D(()=>{let i=new ke(t,"page",(r,l)=>{l&&Xt(t)||(s(r),l&&(Mt(t),$.peek()===null&&z()))});return i.onGone=r=>Ge.gone(r),i},[t]);return w(()=>(Kt(),()=>{
o.close()}),[o]),n(pt.Provider,{value:{feed:o,drafts:Ge},children:n(In,{notice:e,leave:()=>{Je().then(s)},forget:async()=>{let i=await Wt();Ge.forget(),lt(),s(i)}})})}
ct();$.peek()===null&&z();Ue(n(As,{begin:kt()?St?"stranger":"trade":"rest"}),document.getElementById("page"));
