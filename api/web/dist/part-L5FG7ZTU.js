/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as Ln,b as Mn}from"./part-HOSYZYDA.js";import{c as In,d as nt,e as Pe}from"./part-LRED2DU6.js";import{c as $n}from"./part-S5T474SM.js";
import{a as Rn,c as et,e as tt,g as Pn,i as qn,k as m}from"./part-LMNZKLVE.js";import{b as _n,d as An}from"./part-QM4WH6KA.js";import{a as P,b as En,
e as Cn,f as ce,g as St,h as j,i as je,m as me,o as J,r as l}from"./part-WMXWHT22.js";var v=class extends Error{name="EventSyntaxError";problem;path;constructor(e,n=""){super(n===""?`event: ${e}`:`event: ${n}: ${e}`),this.problem=e,this.path=n}},
ye=class extends Error{name="CursorError";text;constructor(e,n){super(`cursor ${JSON.stringify(e.slice(0,64))}: ${n}`),this.text=e.slice(0,64)}},K=class extends Error{name="\
LineError";line;problem;constructor(e,n,r){super(`line ${e}: ${r===void 0?n:r.message}`,{cause:r}),this.line=e,this.problem=n}},re=class extends Error{name="Fra\
meError";id;problem;constructor(e,n,r){super(`frame ${JSON.stringify(e.slice(0,64))}: ${r===void 0?n:r.message}`,{cause:r}),this.id=e,this.problem=n}};function se(t){return t.epoch>1?`${t.epoch}.${t.seq}`:`${t.seq}`}function rt(t){let e=t.indexOf("."),n=e<0?1:Nn(t.slice(0,e)),r=Nn(t.slice(e+1));if(n===void 0||
n===0||r===void 0)throw new ye(t,"want SEQ or EPOCH.SEQ");if(e>=0&&n===1)throw new ye(t,"in epoch 1 the cursor is the bare number");return{epoch:n,seq:r}}function Tt(t){
let e=t.lastIndexOf("/");if(e<1)throw new ye(t,"want SESSION/CURSOR");return{sessionId:t.slice(0,e),cursor:rt(t.slice(e+1))}}function Nn(t){let e=Number(t);return/^(0|[1-9][0-9]{0,15})$/.
test(t)&&Number.isSafeInteger(e)?e:void 0}var De=["user_message","assistant_message","thinking","tool_call","tool_result","plan","compaction","system"];var jn=["starting","idle","queued","responding","retrying","compacting","running_tool","awaiting_approval","awaiting_input","interrupting","completed","terminat\
ed","failed"];function Dn(t){return t==="completed"||t==="terminated"||t==="failed"}var Bn=["idle","queued","responding","running_tool"],vt=["pending","awaiting\
_approval","running","completed","error"],Be=["completed","interrupted","error"],ze=["user","parent","daemon","agent","lost","budget"],Ot=["completed","terminat\
ed","error"],Et=["steer","followUp"],zn=["approval","question","elicitation","caller_tool"],Fn=["allowed","denied","answered","failed","cancelled","expired"],Jn=[
"read","search","edit","execute","fetch","other"],Ct=["ask","allow_reads","allow_all","deny_all"],st=["allow","deny","deny_stop","ask"],Rt=["warn","pause","inte\
rrupt","end"],Un=["session","tree","owner"],Wn=["tokens","costMicros","workMs","turns","toolCalls","children"],Kn=["warned","reached","lifted"],Xn=["dispatched",
"cancelled"];var pe=16*1024*1024,Pt=64,qt=65536,be=class extends Number{source;constructor(e){super(e),this.source=e}toJSON(){return Hn===void 0?this.valueOf():Hn(this.source)}},
Hn=JSON.rawJSON;function _t(t,e){let n=ps(t,e),r;try{r=n?JSON.parse(t,cs):JSON.parse(t)}catch{throw new v("no JSON")}if(!At(r))throw new v("want an object");return r}
function At(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)&&!(t instanceof be)}function cs(t,e,n){let r=n?.source;return typeof e=="number"&&r!==void 0&&
String(e)!==r?new be(r):e}var oe=-1;function ps(t,e){if(!t.isWellFormed())throw new v("unpaired surrogate");let n=!1;oe=t.indexOf("\\");let r=0,s=[];for(let o=0;o<
t.length;){let i=t.charCodeAt(o);if(i===ds){let a=t.indexOf('"',o+1),u=oe>=0&&oe<a;if(u&&(a=ks(t,o+1)),a<0)break;let h=s[s.length-1],d=h===void 0?a+1:bs(t,a+1);
if(h!==void 0&&t.charCodeAt(d)===hs){if(r===qt)throw new v("too many members");r++,h.push(u?ws(t.slice(o,a+1)):t.slice(o+1,a))}o=d}else if(i===Qn||i===gs){if(s.
length===e)throw new v("nested too deep");s.push(i===Qn?[]:void 0),o++}else if(i===fs||i===ms){let a=s.pop();a!==void 0&&(r-=a.length,xs(a)),o++}else if(i===Vn||
i>=$t&&i<=It){let a=Ss(t,o);n||=!Ts(t,o,a),o=a}else o++}return n}var ds=34,hs=58,Qn=123,fs=125,gs=91,ms=93,Vn=45,$t=48,It=57,ys=92;function bs(t,e){for(;;){let n=t.
charCodeAt(e);if(n!==32&&n!==9&&n!==10&&n!==13)return e;e++}}function ks(t,e){let n=-1;for(;;){if(n<e&&(n=t.indexOf('"',e)),n<0)return-1;if(oe>=0&&oe<e&&(oe=t.indexOf(
"\\",e)),oe<0||oe>n)return n;let r=oe+1,s=Zn(t,r);if(e=r+1,s!==0){if(s!==1||t.charCodeAt(r+5)!==ys||Zn(t,r+6)!==2)throw new v("unpaired surrogate");e=r+11}}}function Zn(t,e){
return t.charCodeAt(e)!==117||!/^[dD][89a-fA-F]/.test(t.slice(e+1,e+3))?0:/[89abAB]/.test(t.charAt(e+2))?1:2}function ws(t){try{return JSON.parse(t)}catch{throw new v(
"no JSON")}}function xs(t){if(t.length>16){if(new Set(t).size<t.length)throw new v("duplicate key");return}for(let e=1;e<t.length;e++)if(t.indexOf(t[e])<e)throw new v(
"duplicate key")}function Ss(t,e){for(e++;e<t.length;e++){let n=t.charCodeAt(e);if((n<$t||n>It)&&n!==46&&n!==101&&n!==69&&n!==43&&n!==Vn)break}return e}function Ts(t,e,n){
let r=e;for(;r<n&&t.charCodeAt(r)>=$t&&t.charCodeAt(r)<=It;)r++;if(r===n&&n-e<16)return!0;let s=t.slice(e,n);return String(Number(s))===s}function q(t){return{members:Object.entries(t),open:!0}}function T(t){return{members:Object.entries(t),open:!1}}function de(t,e){return{kind:t,must:!0,keep:!0,...e}}
function D(t,e){return{kind:t,must:!1,keep:!1,...e}}var p={string:de("string"),integer:de("integer"),natural:de("natural"),number:de("number"),word:t=>de("strin\
g",{words:t}),object:t=>de("object",{shape:t}),delta:de("delta"),data:de("data")},c={string:D("string"),integer:D("integer"),natural:D("natural"),boolean:D("boo\
lean"),strings:D("strings"),lists:D("lists"),word:t=>D("string",{words:t}),objects:t=>D("objects",{shape:t})},x={string:D("string",{keep:!0}),integer:D("integer",
{keep:!0}),map:D("map",{keep:!0}),any:D("any",{keep:!0}),object:t=>D("object",{keep:!0,shape:t})};function ke(t,e,n,r="",s=qt){for(let[o,i]of e.members){let a=t[o];
if(a==null){if(i.must)throw new v("missing",`${r}/${o}`);a===null&&delete t[o];continue}switch(i.kind){case"string":if(typeof a!="string")throw new v("want a st\
ring",`${r}/${o}`);break;case"boolean":if(typeof a!="boolean")throw new v("want true or false",`${r}/${o}`);break;case"integer":case"natural":if((typeof a!="num\
ber"||!Number.isSafeInteger(a))&&(t[o]=Os(a,`${r}/${o}`)),i.kind==="natural"&&t[o]<0)throw new v("want a non-negative integer",`${r}/${o}`);break;case"number":if(typeof a!=
"number"&&!(a instanceof be)||!Number.isFinite(Number(a)))throw new v("want a number",`${r}/${o}`);t[o]=Number(a);break;case"any":break;default:vs(t,o,i,n,`${r}\
/${o}`,s)}}}function vs(t,e,n,r,s,o){let i=t[e];switch(n.kind){case"strings":Yn(i,s,o);return;case"lists":for(let[a,u]of Mt(i,s,o).entries())Yn(u,`${s}/${a}`,o);
return;case"objects":for(let[a,u]of Mt(i,s,o).entries())ke(Lt(u,`${s}/${a}`),n.shape,r,`${s}/${a}`,o);return;case"map":for(let a of Object.values(Lt(i,s)))if(typeof a!=
"string")throw new v("want an object of strings",s);return;default:{let a=Lt(i,s);if(n.kind==="delta"&&typeof a.op!="string")throw new v(a.op==null?"missing":"w\
ant a string",`${s}/op`);let u=Nt(t,a,n,r);u!==void 0&&ke(a,u,r,s,o)}}}function Nt(t,e,n,r){switch(n.kind){case"delta":return r.delta(e.op);case"data":return r.
data(t.entryType);default:return n.shape}}function Os(t,e){if(t instanceof be&&/^-?[0-9]+$/.test(t.source)&&Number.isSafeInteger(t.valueOf()))return t.valueOf()+
0;throw new v("want an integer of at most 2^53-1",e)}function Lt(t,e){if(!At(t))throw new v("want an object",e);return t}function Mt(t,e,n){if(!Array.isArray(t)||
t.length>n)throw new v(`want an array of at most ${n} elements`,e);return t}function Yn(t,e,n){for(let r of Mt(t,e,n))if(typeof r!="string")throw new v("want an\
 array of strings",e)}var nr=T({seq:p.natural,ts:p.integer,type:p.string}),Es=q({tool:c.string,pattern:c.string,action:p.word(st)}),ot=q({mode:c.word(Ct),rules:c.objects(Es),deadline:c.
integer,default:c.word(st)}),er=q({tokens:c.integer,costMicros:c.integer,workMs:c.integer,turns:c.integer,toolCalls:c.integer,children:c.integer}),it=q({session:x.
object(er),tree:x.object(er),action:c.word(Rt),warnAt:c.integer}),jt=q({model:c.string,cwd:c.string,gitBranch:c.string,gitCommit:c.string,title:c.string,labels:x.
map,parentSessionId:c.string,subAgent:c.boolean,spawned:c.boolean,mcp:c.boolean,owner:c.string,via:c.string,policy:x.object(ot),budget:x.object(it)}),Dt=q({text:p.
string,images:c.strings,streamingBehavior:c.word(Et),promptId:c.string,clientId:c.string}),rr=q({id:p.string,label:c.string,description:c.string}),Cs=q({text:p.
string,header:c.string,options:c.objects(rr),multiple:c.boolean,freeText:c.boolean,prefill:c.string}),_e=q({inputTokens:p.integer,cachedInputTokens:p.integer,outputTokens:p.
integer,reasoningOutputTokens:c.integer,totalTokens:p.integer}),Bt=q({input:p.number,output:p.number,cacheRead:p.number,total:p.number,estimated:c.boolean}),qe={
truncated:c.boolean,bytes:c.integer},tr=q({role:p.string,text:p.string,images:c.strings,...qe}),Rs=q({text:p.string,status:c.string}),Ps={user_message:tr,assistant_message:tr,
thinking:q({text:p.string,summary:c.strings,...qe}),tool_call:q({toolName:p.string,callId:p.string,arguments:c.string,command:c.string,cwd:c.string,status:p.word(
vt),output:c.string,exitCode:x.integer,durationMs:x.integer,diff:c.string,...qe}),tool_result:q({callId:p.string,output:p.string,isError:c.boolean,...qe}),plan:q(
{text:c.string,steps:c.objects(Rs)}),compaction:q({summary:p.string,trigger:c.string,tokensBefore:c.integer,...qe}),system:q({text:p.string,level:c.string,kind:c.
string,native:x.any,...qe})},qs={text_append:q({op:p.word(),text:p.string,contentIndex:x.integer}),text_set:q({op:p.word(),text:p.string}),arguments_append:q({op:p.
word(),text:p.string}),status_change:q({op:p.word(),status:p.word(vt),output:c.string,exitCode:x.integer}),summary_append:q({op:p.word(),summaryIndex:p.integer,
text:p.string})},zt={childSessionId:p.string,entryId:c.string,title:c.string,nativeSessionId:c.string,turnId:c.string,turnStatus:c.word(Be),cause:c.word(ze),ended:c.
word(Ot)},Ft={requestId:p.string,kind:p.word(zn),turnId:c.string,entryId:c.string,sessionId:c.string,toolName:c.string,toolKind:c.word(Jn),subject:c.string,cwd:c.
string,title:p.string,text:c.string,diff:c.string,diffTruncated:c.boolean,diffBytes:c.integer,options:c.objects(rr),questions:c.objects(Cs),callerId:c.string,arguments:c.
string,deadline:c.integer,default:c.word(st),guarded:c.boolean},Jt={promptId:p.string,text:p.string,images:c.strings,streamingBehavior:c.word(Et),clientId:c.string,
idempotencyKey:c.string,origin:c.string,notifySessionId:c.string},M={session_start:T({sessionId:p.string,agentBackend:p.string,metadata:p.object(jt)}),session_end:T(
{reason:p.word(Ot),error:c.string,hint:c.string}),session_meta:T({title:x.string,titleGiven:c.boolean,model:x.string,mode:x.string,pendingModel:x.string,pendingMode:x.
string,nativeSessionId:x.string,agentVersion:x.string,labels:x.map,capabilities:c.strings,policy:x.object(ot),budget:x.object(it)}),child_session:T(zt),epoch:T(
{epoch:p.natural,reason:p.string}),turn_start:T({turnId:p.string,prompt:x.object(Dt)}),turn_end:T({turnId:p.string,status:p.word(Be),cause:c.word(ze),error:c.string,
hint:c.string}),entry_start:T({turnId:c.string,entryId:p.string,entryType:p.word(De),data:p.data,persistentId:c.string,round:c.integer}),entry_delta:T({entryId:p.
string,delta:p.delta}),entry_end:T({turnId:c.string,entryId:p.string,entryType:p.word(De),data:p.data,persistentId:c.string,incomplete:c.boolean,reason:c.string}),
entry_meta:T({entryId:p.string,persistentId:p.string}),request_opened:T(Ft),request_resolved:T({requestId:p.string,outcome:p.word(Fn),option:c.string,answers:c.
lists,message:c.string,by:p.string,rule:c.integer,mode:c.word(Ct)}),prompt_queued:T(Jt),prompt_moved:T({promptId:p.string,before:c.string}),prompt_removed:T({promptId:p.
string,reason:p.word(Xn),error:c.string}),token_usage:T({turnId:c.string,usage:p.object(_e),sessionTotal:x.object(_e),cost:x.object(Bt),model:c.string}),status:T(
{state:p.word(jn),agentStatus:p.word(Bn),toolName:c.string,queuedPrompts:c.integer,stalled:c.boolean,retryAt:c.integer}),budget:T({scope:p.word(Un),of:c.string,
limit:p.word(Wn),state:p.word(Kn),spent:p.integer,max:p.integer,action:c.word(Rt)})},_s=new Map(Object.entries(M)),As=new Map(Object.entries(qs)),$s=new Map(Object.
entries(Ps));function sr(t){return _s.get(t)}var he={delta:t=>As.get(t),data:t=>$s.get(t)};var Is=T({turnId:p.string,status:c.word(Be),cause:c.word(ze),error:c.string,hint:c.string,prompt:x.object(Dt),startSeq:p.natural,startTs:p.integer,endSeq:c.natural,
endTs:c.integer,entries:c.strings,usage:x.object(_e)}),Ls=T({entryId:p.string,entryType:p.word(De),turnId:c.string,round:c.integer,persistentId:c.string,open:c.
boolean,incomplete:c.boolean,reason:c.string,startSeq:p.natural,startTs:p.integer,endSeq:c.natural,endTs:c.integer,data:p.data}),Ms=T({...Ft,openedSeq:p.natural,
openedTs:p.integer,resolved:x.object(M.request_resolved),resolvedSeq:c.natural,resolvedTs:c.integer}),Ns=T({...Jt,seq:p.natural,ts:p.integer}),js=T({...zt,seq:p.
natural,ts:p.integer}),Ds=T({sum:p.object(_e),reported:x.object(_e),cost:x.object(Bt)}),Bs=T({totalTokens:p.integer,inputTokens:p.integer,cachedInputTokens:p.integer,
outputTokens:p.integer,reasoningOutputTokens:c.integer,costMicros:p.integer,estimatedMicros:c.integer,turns:p.integer,toolCalls:p.integer,children:p.integer,workMs:p.
integer,workingSince:c.integer}),Ut=T({file:p.string,offset:c.integer,seq:c.natural,problem:p.string,hint:c.string}),zs=T({turns:p.natural,entries:p.natural,requests:p.
natural}),Fs=T({from:p.natural,oldest:p.natural,told:p.object(zs)}),Fe=T({sessionId:p.string,agentBackend:p.string,metadata:p.object(jt),title:c.string,model:c.
string,mode:c.string,pendingModel:c.string,pendingMode:c.string,nativeSessionId:c.string,agentVersion:c.string,labels:x.map,capabilities:c.strings,policy:x.object(
ot),budget:x.object(it),epoch:p.natural,seq:p.natural,ts:p.integer,status:x.object(M.status),end:x.object(M.session_end),turns:c.objects(Is),entries:c.objects(Ls),
requests:c.objects(Ms),queue:c.objects(Ns),children:c.objects(js),usage:p.object(Ds),spent:x.object(Bs),marks:c.objects(M.budget),damage:x.object(Ut),part:x.object(
Fs)});var Wt=new Map([["heartbeat",T({seq:p.natural,ts:p.integer})],["reset",T({epoch:p.natural,oldest:p.natural,newest:p.natural,common:c.natural})],["damage",Ut],["\
overflow",T({entryId:p.string,ts:p.integer,offset:p.natural,delta:p.delta})]]);function Je(t,e,n){let r={};for(let[s,o]of e.members){let i=t[s];i!==void 0&&(o.keep||!Ws(i))&&(r[s]=Ks(t,i,o,n))}if(e.open)for(let s of Object.keys(t))Us(e,s)||
Js(r,s,t[s]);return r}function ie(t,e){let n={};for(let[r]of e.members){let s=t[r];s!==void 0&&(n[r]=s)}return n}function Js(t,e,n){e==="__proto__"?Object.defineProperty(
t,e,{value:n,writable:!0,enumerable:!0,configurable:!0}):t[e]=n}function Us(t,e){return t.members.some(([n])=>n===e)}function Ws(t){return t===""||t===0||t===!1||Array.isArray(t)&&t.length===0}function Ks(t,e,n,r){switch(n.kind){case"\
strings":return[...e];case"objects":return e.map(s=>Je(s,n.shape,r));case"object":case"delta":case"data":{let s=e,o=Nt(t,s,n,r);return o===void 0?{...s}:Je(s,o,
r)}default:return e}}function Kt(t){return ir(or(t))}function Xt(t){let e=or(t),n=typeof e.type=="string"?Wt.get(e.type):void 0;return n===void 0?ir(e):(ke(e,n,he),e)}function Ue(t){
return Wt.has(t.type)}function at(t){let e=_t(t,Pt+2);return ke(e,Fe,he,"",1/0),e}function or(t){if(t.length>pe||t.length*3>pe&&new TextEncoder().encode(t).length>pe)throw new v("lon\
ger than the limit");return _t(t,Pt)}function ir(t){if(ke(t,nr,he),t.seq===0)throw new v("want a number from 1","/seq");let e=sr(t.type);return e!==void 0&&ke(t,
e,he),t}function Xs(t){for(let[,e]of t.matchAll(Gs))if(String(Number(e))!==e)return at(t);return JSON.parse(t)}var Gs=/[:[,]\s*((?:-0(?![.\d])|-?(?:\d+(?:\.\d+)?[eE]|[\d.]{16}|\d+\.\d*0(?!\d)|0\.0{6}))[\d.eE+-]*)/g;var Ae=class{#e;#t;#r=[];#n=0;#s=!1;constructor(e,n){this.#e=e,this.#t=n}get isTorn(){return this.#n>0}push(e){let n=[],r=0;this.#s&&e.length>0&&(this.#s=!1,r=e[0]===
10?1:0);let s=this.#t==="any"?e.indexOf(13,r):-1;for(;;){let o=e.indexOf(10,r),i=s>=0&&(o<0||s<o),a=i?s:o;if(a<0)break;n.push(this.#o(e.subarray(r,a))),r=a+1,i&&
(r===e.length?this.#s=!0:e[r]===10&&r++,s=e.indexOf(13,r))}return this.#i(e.subarray(r)),n}#o(e){let n=this.#n+e.length,r=this.#r;if(this.#r=[],this.#n=0,n>this.#e)
return;if(r.length===0)return e;let s=new Uint8Array(n),o=0;for(let i of[...r,e])s.set(i,o),o+=i.length;return s}#i(e){e.length!==0&&(this.#n+=e.length,this.#n>
this.#e?this.#r=[]:this.#r.push(e.slice()))}};var we=class{#e;#t=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#r=0;constructor(e=pe){this.#e=new Ae(e,"lf")}push(e){let n=[];for(let r of this.#e.push(e)){
let s=this.#n(++this.#r,r);s!==void 0&&n.push(s)}return n}end(){return this.#e.isTorn?new K(this.#r+1,"torn"):void 0}#n(e,n){if(n===void 0)return new K(e,"too l\
ong");if(!n.every(r=>r===13))try{return{number:e,text:this.#t.decode(n)}}catch{return new K(e,"invalid UTF-8")}}};var Hs=1440*60*1e3,xe=class{#e;#t;#r=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});#n=new TextDecoder("utf-8",{ignoreBOM:!0});#s=!1;#o=[];#i=0;#l="";#p="";#a;#u="";#c;constructor(e=pe+
64){this.#e=e,this.#t=new Ae(e,"any")}get lastEventId(){return this.#u}get retry(){return this.#c}push(e){let n=[];for(let r of this.#t.push(e))r===void 0?(this.#a=
"too long",this.#s=!0):this.#d(r,n);return n}#d(e,n){if(this.#s||(this.#s=!0,e[0]===239&&e[1]===187&&e[2]===191&&(e=e.subarray(3))),e.length>0){this.#h(e);return}
this.#u=this.#p,this.#a!==void 0?n.push(new re(this.#u,this.#a)):this.#o.length>0&&n.push({id:this.#u,name:this.#l,data:this.#o.join(`
`)}),this.#o=[],this.#i=0,this.#l="",this.#a=void 0}#h(e){let n,r=!0;try{n=this.#r.decode(e)}catch{n=this.#n.decode(e),r=!1}let s=n.indexOf(":"),o=s<0?n:n.slice(
0,s),i=s<0?n.length:n[s+1]===" "?s+2:s+1,a=n.slice(i);switch(o){case"data":this.#i+=e.length-i+1,r||(this.#a??="invalid UTF-8"),this.#i>this.#e&&(this.#a="too l\
ong"),this.#a===void 0?this.#o.push(a):this.#o=[];break;case"event":this.#l=a;break;case"id":a.includes("\0")||(this.#p=a);break;case"retry":/^[0-9]+$/.test(a)&&
(this.#c=Math.min(Number(a),Hs));break}}};function Qs(t){switch(t){case"user_message":case"assistant_message":case"thinking":case"plan":case"system":return"text";case"tool_call":case"tool_result":return"\
output";case"compaction":return"summary"}}function ar(t,e){t.entryType=e.entryType,t.data={...e.data},t.entryType==="thinking"&&t.data.summary!==void 0&&(t.data.summary=[...t.data.summary]),e.persistentId&&
(t.persistentId=e.persistentId)}function lr(t,e){let n=Qs(t.entryType),r=t.data;switch(e.op){case"text_append":n!==void 0&&(r[n]=(r[n]??"")+e.text);break;case"t\
ext_set":n!==void 0&&(r[n]=e.text);break;case"arguments_append":t.entryType==="tool_call"&&(t.data.arguments=(t.data.arguments??"")+e.text);break;case"status_ch\
ange":t.entryType==="tool_call"&&Zs(t.data,e);break;case"summary_append":t.entryType==="thinking"&&Ys(t.data,e.summaryIndex,e.text);break}}function Zs(t,e){t.status=
e.status,e.output&&(t.output=(t.output??"")+e.output),e.exitCode!==void 0&&(t.exitCode=e.exitCode)}var Vs=1024;function Ys(t,e,n){if(e<0||e>=Vs)return;let r=t.summary??=
[];for(;r.length<=e;)r.push("");r[e]+=n}var Gt=Number.MAX_SAFE_INTEGER;function ur(){return{totalTokens:0,inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,costMicros:0,estimatedMicros:0,
turns:0,toolCalls:0,children:0,workMs:0,workingSince:0}}function cr(t,e,n,r){let s={...t};switch(e.type){case"turn_start":$e(t,e.ts),t.workingSince=e.ts;break;case"\
turn_end":t.turns=X(t.turns,1),e.cause!=="daemon"&&$e(t,e.ts),t.workingSince=0;break;case"status":$e(t,e.ts),e.state==="awaiting_approval"||e.state==="awaiting_\
input"?t.workingSince=0:n&&(t.workingSince=e.ts);break;case"entry_start":$e(t,e.ts);break;case"entry_end":e.entryType==="tool_call"&&(t.toolCalls=X(t.toolCalls,
1)),e.incomplete||$e(t,e.ts);break;case"child_session":r&&(t.children=X(t.children,1));break;case"token_usage":$e(t,e.ts),eo(t,e);break;case"session_end":t.workingSince=
0;break}return Object.keys(t).some(o=>(t[o]??0)!==(s[o]??0))}function $e(t,e){let n=t.workingSince??0;n!==0&&e>n&&(t.workMs=X(t.workMs,e-n),t.workingSince=e)}function eo(t,e){
if(t.totalTokens=X(t.totalTokens,e.usage.totalTokens),t.inputTokens=X(t.inputTokens,e.usage.inputTokens),t.cachedInputTokens=X(t.cachedInputTokens,e.usage.cachedInputTokens),
t.outputTokens=X(t.outputTokens,e.usage.outputTokens),t.reasoningOutputTokens=X(t.reasoningOutputTokens??0,e.usage.reasoningOutputTokens??0),e.cost!==void 0){let n=to(
e.cost);t.costMicros=X(t.costMicros,n),e.cost.estimated&&(t.estimatedMicros=X(t.estimatedMicros??0,n))}}function to(t){let e=t.total*1e6;return e>0?Math.min(Math.
floor(e+.5),Gt):0}function X(t,e){return Math.min(t+Math.min(Math.max(e,0),Gt),Gt)}function Ht(){return{inputTokens:0,cachedInputTokens:0,outputTokens:0,reasoningOutputTokens:0,totalTokens:0}}function Qt(t,e){t.inputTokens=We(t.inputTokens,e.inputTokens),
t.cachedInputTokens=We(t.cachedInputTokens,e.cachedInputTokens),t.outputTokens=We(t.outputTokens,e.outputTokens),t.reasoningOutputTokens=We(t.reasoningOutputTokens??
0,e.reasoningOutputTokens??0),t.totalTokens=We(t.totalTokens,e.totalTokens)}function pr(){return{input:0,output:0,cacheRead:0,total:0}}function dr(t,e){t.input=
lt(t.input,e.input),t.output=lt(t.output,e.output),t.cacheRead=lt(t.cacheRead,e.cacheRead),t.total=lt(t.total,e.total),t.estimated=!!t.estimated||!!e.estimated}
function lt(t,e){return Number.isFinite(t+e)?t+e:t}function We(t,e){return Math.max(Math.min(t+e,Number.MAX_SAFE_INTEGER),-Number.MAX_SAFE_INTEGER)}var Se=class t{state={sessionId:"",agentBackend:"",metadata:{},epoch:0,seq:0,ts:0,turns:[],entries:[],requests:[],queue:[],children:[],marks:[],usage:{sum:Ht()}};#e=new Map;#t=new Map;#r=new Map;constructor(e){
if(e!==void 0){let{damage:n,part:r,...s}=Je(e,Fe,he);Object.assign(this.state,s)}this.#n()}#n(){for(let e of this.state.turns)this.#e.set(e.turnId,e);for(let e of this.
state.entries)this.#t.set(e.entryId,e);for(let e of this.state.requests)this.#r.set(e.requestId,e)}static of(e){let n=new t,{damage:r,part:s,...o}=e;return Object.
assign(n.state,o),n.#n(),n}apply(e){let n=this.state;if(e.seq<=n.seq)return!1;switch(n.seq=e.seq,n.ts=e.ts,n.epoch=Math.max(n.epoch,1),this.#l(e),e.type){case"s\
ession_start":this.#s(e);break;case"session_end":this.#o(e);break;case"session_meta":this.#i(e);break;case"child_session":this.#p(e);break;case"epoch":n.epoch=Math.
max(n.epoch,e.epoch);break;case"turn_start":this.#a(e,e.turnId).prompt=e.prompt;break;case"turn_end":this.#u(e);break;case"entry_start":this.#d(e);break;case"en\
try_delta":{let r=this.#t.get(e.entryId);r?.open&&lr(r,e.delta);break}case"entry_end":this.#h(e);break;case"entry_meta":{let r=this.#t.get(e.entryId);r!==void 0&&
(r.persistentId=e.persistentId);break}case"request_opened":this.#g(e);break;case"request_resolved":this.#m(e);break;case"prompt_queued":this.#f(e.promptId),n.queue.
push({...ie(e,M.prompt_queued),seq:e.seq,ts:e.ts});break;case"prompt_moved":this.#b(e);break;case"prompt_removed":this.#f(e.promptId);break;case"token_usage":this.#k(
e);break;case"status":n.status=ie(e,M.status),Dn(e.state)||(n.end=void 0);break;case"budget":this.#y(e);break}return!0}get cursor(){return{epoch:Math.max(this.state.
epoch,1),seq:this.state.seq}}get openRequests(){return this.state.requests.filter(e=>e.resolved===void 0)}turn(e){return this.#e.get(e)}entry(e){return this.#t.
get(e)}request(e){return this.#r.get(e)}toJSON(){return Je(this.state,Fe,he)}#s(e){let{sessionId:n,agentBackend:r,metadata:s}=e,{title:o,model:i,labels:a,policy:u,
budget:h}=s;Object.assign(this.state,{sessionId:n,agentBackend:r,metadata:s,title:o,model:i,labels:a,policy:u,budget:h})}#o(e){this.state.end=ie(e,M.session_end);
for(let n of this.state.entries)n.open&&(n.incomplete=!0)}#i(e){let{titleGiven:n,...r}=ie(e,M.session_meta);Object.assign(this.state,r)}#l(e){if(e.type==="entry\
_delta")return;let n=this.state,r=e.type==="child_session"&&!n.children.some(i=>i.childSessionId===e.childSessionId),s=n.turns.at(-1),o=n.spent??ur();cr(o,e,s!==
void 0&&!s.endSeq,r)&&(n.spent=o)}#p(e){let{children:n}=this.state,r=n.findIndex(a=>a.childSessionId===e.childSessionId),{seq:s,ts:o}=n[r]??e,i={...ie(e,M.child_session),
seq:s,ts:o};n.splice(r<0?n.length:r,1,i)}#a(e,n){let r=this.#e.get(n);return r===void 0&&(r={turnId:n,startSeq:e.seq,startTs:e.ts,entries:[]},this.#e.set(n,r),this.
state.turns.push(r)),r}#u(e){let{status:n,cause:r,error:s,hint:o}=e;Object.assign(this.#a(e,e.turnId),{status:n,cause:r,error:s,hint:o,endSeq:e.seq,endTs:e.ts})}#c(e){
let n=this.#t.get(e.entryId);if(n===void 0){let{entryId:r,turnId:s,entryType:o,data:i}=e;n={entryId:r,turnId:s,startSeq:e.seq,startTs:e.ts,entryType:o,data:i},this.#t.
set(r,n),this.state.entries.push(n),s&&(this.#a(e,s).entries??=[]).push(r)}return ar(n,e),n}#d(e){Object.assign(this.#c(e),{open:!0,incomplete:!1,reason:void 0,
round:e.round,endSeq:void 0,endTs:void 0})}#h(e){Object.assign(this.#c(e),{open:!1,incomplete:e.incomplete,reason:e.reason,endSeq:e.seq,endTs:e.ts})}#g(e){let{requests:n}=this.
state,r=this.#r.get(e.requestId),s={...ie(e,M.request_opened),openedSeq:e.seq,openedTs:e.ts};n.splice(r===void 0?n.length:n.indexOf(r),1,s),this.#r.set(e.requestId,
s)}#m(e){let n=this.#r.get(e.requestId);n!==void 0&&n.resolved===void 0&&Object.assign(n,{resolved:ie(e,M.request_resolved),resolvedSeq:e.seq,resolvedTs:e.ts})}#y(e){
let n=ie(e,M.budget),r=[...this.state.marks],s=r.findIndex(o=>o.scope===n.scope&&(o.of??"")===(n.of??"")&&o.limit===n.limit);n.state!=="lifted"?r.splice(s<0?r.length:
s,1,n):s>=0&&r.splice(s,1),this.state.marks=r}#f(e){this.state.queue=this.state.queue.filter(n=>n.promptId!==e)}#b(e){let{queue:n}=this.state,r=e.before??"",s=n.
find(a=>a.promptId===e.promptId);if(s===void 0||e.promptId===r)return;let o=n.filter(a=>a!==s),i=o.findIndex(a=>a.promptId===r);o.splice(i<0?o.length:i,0,s),this.
state.queue=o}#k(e){let{usage:n}=this.state;Qt(n.sum,e.usage),n.reported=e.sessionTotal??n.reported,e.cost!==void 0&&dr(n.cost??=pr(),e.cost);let r=this.#e.get(
e.turnId??"");r!==void 0&&Qt(r.usage??=Ht(),e.usage)}};function Zt(t){let{text:e="",diff:n="",diffTruncated:r=!1}=t,s=n.split(`
`,1)[0]??"";if(s==="")return e;for(let o=e.indexOf(s);o>=0;o=e.indexOf(s,o+s.length))if(o===0||e.charAt(o-1)===`
`){let i=e.slice(o);if(n.startsWith(i)||r&&i.startsWith(n))return e.slice(0,o).replace(/\n+$/,"")}return e}function hr(t){let e=!1,n=()=>{e=!1,t()};return()=>{e||(e=!0,document.visibilityState==="visible"?requestAnimationFrame(n):setTimeout(n,250))}}var no=2e4,fr=class{id;fold=new Se;entries=me([]);head=me(0);seq=me(0);isWhole=me(!1);trouble=me("");at;isAsking=!1;onEvent=()=>{};#e;#t=new Map;#r=new Set;#n=new Map;#s=!1;#o=hr(
()=>this.#l());constructor(e,n){this.id=e,this.#e=n}entry(e){let n=this.#t.get(e);return n===void 0&&this.#t.set(e,n=me(0)),n.value>=0?this.fold.entry(e):void 0}beyond(e){
return this.#n.get(e)}flow({entryId:e,offset:n,delta:r}){if(r.op!=="text_append"||this.fold.entry(e)?.open!==!0)return;let s="text"in r?r.text:"",o=this.#n.get(
e);if(o!==void 0&&n<o.bytes)return;let i=n===(o?.bytes??gr(ro(this.fold.entry(e)))),a=`${o?.text??""}${i?"":`
…
`}`;this.#n.set(e,{text:(a+s).slice(-no),bytes:n+gr(s)}),this.#r.add(e),this.#o()}apply(e){this.fold.apply(e),(e.type==="entry_end"||e.type==="entry_delta"&&e.delta.
op==="text_set")&&this.#n.delete(e.entryId),e.type==="entry_delta"||e.type==="entry_meta"?this.#r.add(e.entryId):(this.#s=!0,(e.type==="entry_start"||e.type==="\
entry_end")&&this.#r.add(e.entryId)),this.onEvent(e),this.#o()}isBefore(e){let n=this.at;return n===void 0||n.seq===0||n.epoch<e.epoch||n.epoch===e.epoch&&n.seq<
e.seq}take(e,n,r){let s=this.at??{epoch:e,seq:0};if(s.seq>0&&e!==s.epoch||n>s.seq+1)return!1;for(let o of r.slice(s.seq+1-n))o!==void 0&&this.apply(o);return this.
at={epoch:e,seq:Math.max(s.seq,n+r.length-1)},!0}begin(e,n,r){this.fold=Se.of(e),this.at=n,this.trouble.value="",this.isWhole.value||=r||n.seq>=this.#e,this.#i()}reset(){
this.fold=new Se,this.at=void 0,this.#r.clear(),this.#i()}#i(){this.#n.clear();for(let e of this.#t.values())e.value++;this.#s=!0,this.#o()}#l(){let{entries:e,seq:n}=this.
fold.state;(e.length!==this.entries.peek().length||e.at(-1)?.entryId!==this.entries.peek().at(-1))&&(this.entries.value=e.map(r=>r.entryId));for(let r of this.#r){
let s=this.#t.get(r);s!==void 0&&s.value++}this.#r.clear(),!this.isWhole.peek()&&Math.max(n,this.at?.seq??0)>=this.#e&&(this.isWhole.value=!0),this.#s&&(this.#s=
!1,this.head.value++),this.seq.value=n}};function ro({data:t}){let e="output"in t?t.output:"text"in t?t.text:"";return typeof e=="string"?e:""}var so=new TextEncoder;
function gr(t){return so.encode(t).length}var mr={now:()=>performance.now(),after:(t,e)=>{let n=setTimeout(e,t);return()=>clearTimeout(n)},random:Math.random};function ut(t,e,n){return new Promise((r,s)=>{
if(n?.aborted){s(n.reason);return}let o=()=>{i(),s(n.reason)},i=t.after(e,()=>{n?.removeEventListener("abort",o),r()});n?.addEventListener("abort",o,{once:!0})})}var Z=class extends Error{name="Problem";code;status;title;detail;hint;errors;lookAt;retryAfterMs;body;constructor(e,n=0){super(e.detail??e.title),this.body=e,this.
code=e.code,this.status=e.status,this.title=e.title,this.detail=e.detail??"",this.hint=e.hint??"",this.errors=e.errors??[],this.lookAt=e.lookAt??"",this.retryAfterMs=
n}},I=class extends Error{name="Unreachable";where;sent;hint="start one with: ringmaster up, or name another address";constructor(e,n,r){let s=r instanceof Error?
`: ${r.message}`:"";super(r===void 0?`no daemon runs for ${e}`:`no daemon answers at ${e}${s}`,{cause:r}),this.where=e,this.sent=n}},_=class extends Error{name="\
UnexpectedAnswer"};function ct(t){return t instanceof Z?t.code==="overloaded"||t.code==="unavailable":t instanceof I}var oo=new Set(["ECONNREFUSED","ENOENT","EN\
OTFOUND","EAI_AGAIN","EHOSTUNREACH","ENETUNREACH","EACCES","UND_ERR_CONNECT_TIMEOUT"]);function yr(t,e){let n=e instanceof Error&&e.cause instanceof Error?e.cause:
e,r=n instanceof Error&&"code"in n?String(n.code):"";return new I(t,!oo.has(r),n)}function Ke(t,e,n){let r=t>1?Math.min(250*2**Math.min(t-2,10),3e4)/2:0,s=Math.max(r,e/2);return Math.floor(Math.max(r,e)+n*s)}async function io(t,e,n,r){let s={...e,headers:{...e.headers,"Idempotency-Key":n}},o=!1,i=0;for(let a=1;;a++)try{return await t.json(s,r)}catch(u){if(r?.throwIfAborted(),
o||=u instanceof I&&u.sent,!o||!ct(u)||i>=t.patienceMs)throw o&&u instanceof I&&!u.sent?new I(u.where,!0,u.cause):u;let h=Ke(a,0,t.clock.random());i+=Math.max(h,
1),await ut(t.clock,h,r)}}function A(t,e,n){return io(t,e,n.key||ao(),n.signal)}function ao(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),t=>t.
toString(16).padStart(2,"0")).join("")}var Vt=6e4,lo=64<<20,Yt=1<<20,pt=class{base;where;name;patienceMs;clock;#e;#t;constructor(e){this.base=po(e.base),this.where=e.where??this.base,this.name=e.name,
this.patienceMs=e.patienceMs??3e4,this.clock=e.clock??mr,this.#e=e.token,this.#t=e.fetch??((n,r)=>fetch(n,r))}async do(e,n){let r=await this.request(e,n);if(r.ok)
return r;throw en(r,await br(r,Yt).catch(()=>""))}async request(e,n){let r={...e.headers};this.#e!==void 0&&(r.Authorization=`Bearer ${this.#e}`),e.body!==void 0&&
(r["Content-Type"]??="application/json");let s=new AbortController,o=n===void 0?s.signal:AbortSignal.any([n,s.signal]),i=this.clock.after(e.patienceMs??Vt,()=>s.
abort(new Error("the answer does not come")));try{return await this.#t(this.base+e.path+co(e.query??{}),{method:e.method,headers:r,body:e.body===void 0?null:JSON.
stringify(e.body),signal:o,redirect:"manual",credentials:"omit",cache:"no-store",referrerPolicy:"no-referrer"})}catch(a){throw n?.throwIfAborted(),s.signal.aborted?
new I(this.where,!0,s.signal.reason):yr(this.where,a)}finally{i()}}async json(e,n){let r=await this.text(e,n);try{return r.trim()===""?void 0:JSON.parse(r)}catch(s){
throw new _(`${e.method} ${e.path}: the daemon's answer is no JSON`,{cause:s})}}async text(e,n){let r=await this.do(e,n);try{return await br(r,lo)}catch(s){throw n?.
throwIfAborted(),s instanceof _?s:new I(this.where,!0,s)}}};function en(t,e){let n=t.headers.get("Content-Type")?.split(";")[0]?.trim()==="application/problem+j\
son";try{let r=JSON.parse(e);if(n&&typeof r.code=="string")return new Z({...r,status:t.status},uo(t))}catch{}return new _(`the daemon answered ${t.status}, whic\
h is none of its own answers: is it something else that listens there?`)}function uo(t){let e=t.headers.get("Retry-After")??"";return/^[0-9]{1,6}$/.test(e)?Number(
e)*1e3:0}async function br(t,e){let n=t.body?.getReader(),r=new TextDecoder,s="",o=0;for(let i=await n?.read();i!==void 0&&!i.done;i=await n.read()){if(o+=i.value.
length,o>e)throw await n.cancel(),new _(`the daemon's answer is longer than ${e>>20} MiB`);s+=r.decode(i.value,{stream:!0})}return s+r.decode()}function co(t){let e=new URLSearchParams;
for(let[n,r]of Object.entries(t))for(let s of Array.isArray(r)?r:r===void 0?[]:[r])e.append(n,String(s));return e.size===0?"":`?${e}`}function po(t){let e;try{e=
new URL(t)}catch{}if(e===void 0||!["http:","https:"].includes(e.protocol)||e.username+e.password+e.search+e.hash!==""||e.pathname!=="/")throw new TypeError(`bas\
e ${JSON.stringify(t.slice(0,200))}: want http://HOST:PORT or https://HOST:PORT`);return e.origin}var ho=45e3,kr=1e4,V=class t{response;#e;#t;#r;#n;#s;constructor(e,n,r,s,o){this.response=n,this.#e=e,this.#r=r,this.#n=s,this.#t=o,this.#s=n.body?.getReader()}static async open(e,n,r){
r?.throwIfAborted();let s=new AbortController,o=()=>s.abort(r.reason),i=()=>r?.removeEventListener("abort",o);r?.addEventListener("abort",o,{once:!0});try{return new t(
e,await e.request(n,s.signal),s,i,r)}catch(a){throw i(),a}}static async begin(e,n,r){let s=await t.open(e,n,r);if(s.response.ok)return s;try{throw await s.problem()}finally{
s.close()}}async problem(){let e=new TextDecoder,n="";for(let r=await this.next();r!==void 0&&n.length<Yt;r=await this.next())n+=e.decode(r,{stream:!0});return en(
this.response,n)}async next(){let e=this.#e.clock.after(ho,()=>this.#r.abort(new Error("the daemon went silent")));try{return(await this.#s?.read())?.value}catch(n){
throw this.#t?.throwIfAborted(),new I(this.#e.where,!0,this.#r.signal.aborted?this.#r.signal.reason:n)}finally{e()}}close(){this.#n(),this.#r.abort(new Error("c\
losed")),this.#s?.cancel().catch(()=>{})}};function tn(t,e){let n=e.since!==void 0&&e.since.seq>0?se(e.since):void 0;return{method:"GET",path:`${t}/log`,query:{since:n,view:e.view==="settled"?e.view:void 0}}}
function nn(t){let[e,n]=["X-Session-Version","X-Session-Epoch"].map(r=>Number(t.headers.get(r)??NaN));if(!Number.isSafeInteger(e)||!Number.isSafeInteger(n))throw new _(
"the daemon's log does not say how far it goes");return{version:e,epoch:n}}async function*wr(t,e,n){let r=await V.begin(t,tn(e,n),n.signal);try{let{version:s,epoch:o}=nn(
r.response),i=new we,a=n.since?.seq??0,u=a===0;for(let h=await r.next();h!==void 0;h=await r.next())for(let d of i.push(h)){let g=fo(d);if(n.view==="settled"||u?
g.seq<=a:g.seq!==a+1)throw new _(`the log has a gap: event ${g.seq} came after ${a}`);u=!1,a=g.seq,yield{event:g,at:{epoch:o,seq:a},line:d.text}}if(i.end()!==void 0||
a<s&&n.view!=="settled")throw new I(t.where,!0,new Error(`the log ended with event ${a} of ${s}`))}finally{r.close()}}function fo(t){if(t instanceof K)throw new _(
`the daemon's log: ${t.message}`,{cause:t});let e=rn(t.text);if(!Ue(e))return e;let{problem:n="",hint:r}=e;throw new Z({type:"about:blank",code:"damaged",status:200,
title:"The log is damaged",detail:`The log ends early: ${n}.`,hint:r})}function rn(t){try{return Xt(t)}catch(e){throw e instanceof v?new _(`the daemon's log: ${e.
message}`,{cause:e}):e}}async function*xr(t,e,n){let r=new sn(t,e,n);for(;;)try{yield*r.connection();return}catch(s){if(n.signal?.throwIfAborted(),!r.hasJoined||!ct(s))throw s;let o=r.
lost();yield{type:"lost",error:s,waitMs:o,awayMs:r.awayMs},await ut(t.clock,o,n.signal),r.awayMs+=o}}var sn=class{hasJoined=!1;awayMs=0;#e;#t;#r;#n;#s=0;#o=0;constructor(e,n,r){
this.#e=e,this.#t=n,this.#r=r.signal,this.#n=r.since??{epoch:1,seq:0}}lost(){return this.#s++,Ke(this.#s,this.#o,this.#e.clock.random())}async*connection(){let e={
Accept:"text/event-stream"};this.#n.seq>0&&(e["Last-Event-ID"]=se(this.#n));let n=await V.begin(this.#e,{method:"GET",path:`${this.#t}/stream`,headers:e},this.#r);
try{if(this.hasJoined=!0,n.response.status===204)return;let r=new xe,s=this.#e.clock.now();for(let o=await n.next();o!==void 0;o=await n.next()){let i=r.push(o);
this.#o=r.retry??0;for(let a of i){this.awayMs=0,this.#e.clock.now()-s>=kr&&(this.#s=0);let u=this.#i(a);u!==void 0&&(yield u)}}}finally{n.close()}throw new I(this.#e.
where,!0,new Error("the daemon ended the connection"))}#i(e){if(e instanceof re)throw new _(`the daemon's stream: ${e.message}`,{cause:e});let n=rn(e.data);if(Ue(
n))return n.type==="reset"&&(this.#n={epoch:n.epoch,seq:Math.max(n.oldest,1)-1}),n.type==="heartbeat"?void 0:n;let r=rt(e.id);if(r.epoch===this.#n.epoch&&n.seq<=
this.#n.seq)throw new _(`the log has a gap: event ${n.seq} came again`);if(this.#n.seq>0&&n.seq!==this.#n.seq+1)throw new _(`the log has a gap: event ${n.seq} c\
ame after ${this.#n.seq}`);return this.#n=r,this.#s=0,{type:"line",event:n,at:r,line:e.data}}};var dt=class{id;#e;constructor(e,n){this.#e=e,this.id=n}show(e={}){return this.#s("GET","",void 0,e)}change(e,n={}){let r={"Content-Type":"application/merge-pat\
ch+json"};return A(this.#e,{method:"PATCH",path:this.#t(),body:e,headers:r},n)}end(e={}){return this.#n("POST","/end",e.reason===void 0?void 0:{reason:e.reason},
e)}remove(e={}){return this.#n("DELETE","",void 0,e)}interrupt(e={}){return this.#n("POST","/interrupt",this.#e.name===void 0?void 0:{clientId:this.#e.name},e)}async state(e={}){
let n=e.at!==void 0&&e.at.seq>0?se(e.at):void 0,r=await this.#e.text({method:"GET",path:this.#t("/state"),query:{at:n,entries:e.entries,before:e.before}},e.signal);
try{return at(r)}catch(s){throw s instanceof v?new _(`the daemon's state: ${s.message}`,{cause:s}):s}}log(e={}){return wr(this.#e,this.#t(),e)}async openLog(e={}){
let n=await this.#e.do(tn(this.#t(),e),e.signal),r=n.headers.get("X-Session-Damage");return{...nn(n),...r===null?{}:{damage:r},body:n.body??new Blob().stream()}}follow(e={}){
return xr(this.#e,this.#t(),e)}prompt(e,n={}){return this.#n("POST","/prompts",{...this.#r(),...e},n)}async prompts(e={}){return(await this.#s("GET","/prompts",
void 0,e)).prompts}move(e,n,r={}){return this.#n("POST",`/prompts/${Te(e)}/move`,n,r)}cancel(e,n={}){return this.#n("DELETE",`/prompts/${Te(e)}`,void 0,n)}async requests(e={}){
return(await this.#s("GET","/requests",void 0,e)).requests}answer(e,n,r={}){return this.#n("POST",`/requests/${Te(e)}`,{...this.#r(),...n},r)}models(e={}){return this.#s(
"GET","/models",void 0,e)}modes(e={}){return this.#s("GET","/modes",void 0,e)}budget(e={}){return this.#s("GET","/budget",void 0,e)}setBudget(e,n={}){return this.#n(
"PUT","/budget",e,n)}setModel(e,n={}){return this.#n("POST","/model",e,n)}setMode(e,n={}){return this.#n("POST","/mode",e,n)}async raw(e={}){let n={from:e.from,
to:e.to,dir:e.dir},r=await V.begin(this.#e,{method:"GET",path:this.#t("/raw"),query:n},e.signal);return{first:Number(r.response.headers.get("X-Raw-First-Line")??
1),lines:go(r)}}take(e={}){return this.#n("POST","/take",void 0,e)}async lost(e={}){return(await this.#s("GET","/lost",void 0,e)).lost}lostEnd(e,n={}){return this.#e.
do({method:"GET",path:this.#t(`/lost/${Te(e)}`)},n.signal)}entryText(e,n={}){return this.#e.do({method:"GET",path:this.#t(`/entries/${Te(e)}/text`)},n.signal)}image(e,n={}){
return this.#e.do({method:"GET",path:this.#t(`/images/${Te(e)}`)},n.signal)}#t(e=""){return`/sessions/${Te(this.id)}${e}`}#r(){return this.#e.name===void 0?{}:{
clientId:this.#e.name}}#n(e,n,r,s){return A(this.#e,{method:e,path:this.#t(n),body:r},s)}#s(e,n,r,s){return this.#e.json({method:e,path:this.#t(n),body:r},s.signal)}};
async function*go(t){try{let e=new we(1/0);for(let n=await t.next();n!==void 0;n=await t.next())for(let r of e.push(n)){if(r instanceof K)throw new _(`the daemo\
n's native lines: ${r.message}`,{cause:r});yield JSON.parse(r.text)}}finally{t.close()}}function Te(t){if(/^\.{0,2}$/.test(t))throw new TypeError(`${JSON.stringify(
t)} is no id`);return encodeURIComponent(t)}function mo(t){return{method:"POST",path:"/stream",body:t,headers:{Accept:"text/event-stream"}}}async function*Sr(t,e,n){let r=await V.begin(t,mo(e),n.signal);try{
let s=new on;for(let o=await r.next();o!==void 0;o=await r.next())for(let i of s.push(o))yield i.type==="event"?{...i,...ko(i.line)}:i;if(e.select!==void 0||e.roster===
!0)throw new I(t.where,!0,new Error("the daemon ended the connection"))}finally{r.close()}}var on=class{#e=new xe;#t="";get retryMs(){return this.#e.retry??0}push(e){
return this.#e.push(e).map(n=>{if(n instanceof re)throw new _(`the daemon's stream: ${n.message}`,{cause:n});let r=n.id!==this.#t;return this.#t=n.id,r?yo(n):bo(
n)})}};function yo(t){try{let{sessionId:e,cursor:n}=Tt(t.id);return{type:"event",sessionId:e,at:n,line:t.data}}catch(e){throw new _(`the daemon's stream: ${String(
e)}`,{cause:e})}}function bo(t){try{let e=JSON.parse(t.data);if(typeof e=="object"&&e!==null&&"type"in e)return e}catch{}throw new _("the daemon's stream: a fra\
me is no signal")}function ko(t){try{return{event:Kt(t)}}catch(e){if(e instanceof v)return{};throw e}}var ht=class{#e;constructor(e){this.#e=e}#t(e,n=""){return`/webhooks/${encodeURIComponent(e)}${n}`}create(e,n={}){return A(this.#e,{method:"POST",path:"/webhook\
s",body:e},n)}async list(e={}){return(await this.#e.json({method:"GET",path:"/webhooks"},e.signal)).webhooks}show(e,n={}){return this.#e.json({method:"GET",path:this.#t(
e)},n.signal)}change(e,n,r={}){return A(this.#e,{method:"PATCH",path:this.#t(e),body:n},r)}remove(e,n={}){return A(this.#e,{method:"DELETE",path:this.#t(e)},n)}rotate(e,n={},r={}){
return A(this.#e,{method:"POST",path:this.#t(e,"/secret"),body:n},r)}test(e,n={}){return A(this.#e,{method:"POST",path:this.#t(e,"/test")},n)}async deliveries(e,n="\
pending",r={}){return(await this.#e.json({method:"GET",path:this.#t(e,"/deliveries"),query:{state:n}},r.signal)).deliveries}send(e,n,r={}){return A(this.#e,{method:"\
POST",path:this.#t(e,`/deliveries/${encodeURIComponent(n)}/send`)},r)}async sendDead(e,n={}){return(await A(this.#e,{method:"POST",path:this.#t(e,"/dead/send")},
n)).sent}};var an=class{#e;constructor(e){this.#e=new pt(e)}get where(){return this.#e.where}get wire(){return this.#e}session(e){return new dt(this.#e,e)}create(e,n={}){let{
name:r}=this.#e,{prompt:s}=e,o=typeof s=="string"?{text:s}:s,i=o===void 0||r===void 0?e:{...e,prompt:{clientId:r,...o}};return A(this.#e,{method:"POST",path:"/s\
essions",body:i},n)}sessions({signal:e,...n}={}){return this.#e.json({method:"GET",path:"/sessions",query:n},e)}inbox({signal:e,...n}={}){return this.#e.json({method:"\
GET",path:"/requests",query:{state:"open",...n}},e)}wait(e,n={}){let r=(e.timeoutMs??6e4)+Vt;return this.#e.json({method:"POST",path:"/wait",body:e,patienceMs:r},
n.signal)}stream({sessions:e,...n},r={}){let s=e&&Object.fromEntries(Object.entries(e).map(([o,i])=>[o,typeof i=="string"?i:se(i)]));return Sr(this.#e,s===void 0?
n:{...n,sessions:s},r)}health(e={}){return this.#e.json({method:"GET",path:"/health"},e.signal)}ready(e={}){return this.#e.json({method:"GET",path:"/ready"},e.signal)}agents(e={}){
return this.#e.json({method:"GET",path:"/agents"},e.signal)}async nativeSessions(e,n={}){let r={cwd:e,agent:n.agent};return(await this.#e.json({method:"GET",path:"\
/native-sessions",query:r},n.signal)).sessions}async nodes(e={}){return(await this.#e.json({method:"GET",path:"/nodes"},e.signal)).nodes}drainNode(e,n={},r={}){
return A(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(e)}/drain`,body:n},r)}joinNode(e,n={}){return A(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(
e)}/join`},n)}forgetNode(e,n={}){return A(this.#e,{method:"POST",path:`/nodes/${encodeURIComponent(e)}/forget`},n)}async roots(e={}){return(await this.#e.json({
method:"GET",path:"/roots"},e.signal)).roots}async addRoot(e,n={}){return(await A(this.#e,{method:"POST",path:"/roots",body:{path:e}},n)).roots}collect(e,n={}){
return A(this.#e,{method:"POST",path:"/gc",body:e},n)}reload(e={}){return A(this.#e,{method:"POST",path:"/config/reload"},e)}metrics(e={}){return this.#e.do({method:"\
GET",path:"/metrics"},e.signal)}profile(e,n={}){return this.#e.do({method:"GET",path:`/debug/pprof/${e}`},n.signal)}get webhooks(){return new ht(this.#e)}async tokens(e={}){
return(await this.#e.json({method:"GET",path:"/tokens"},e.signal)).tokens}createToken(e,n={}){return A(this.#e,{method:"POST",path:"/tokens",body:e},n)}revokeToken(e,n={}){
return A(this.#e,{method:"DELETE",path:`/tokens/${encodeURIComponent(e)}`},n)}async ownerBudgets(e={}){return(await this.#e.json({method:"GET",path:"/budgets"},
e.signal)).budgets}ownerBudget(e,n={}){return this.#e.json({method:"GET",path:`/budgets/${encodeURIComponent(e)}`},n.signal)}setOwnerBudget(e,n,r={}){return A(this.#e,
{method:"PUT",path:`/budgets/${encodeURIComponent(e)}`,body:n},r)}removeOwnerBudget(e,n={}){return A(this.#e,{method:"DELETE",path:`/budgets/${encodeURIComponent(
e)}`},n)}askLogin(e={}){return this.#e.json({method:"POST",path:"/logins"},e.signal)}login(e,n={}){return this.#e.json({method:"POST",path:"/login",body:e},n.signal)}endLogin(e={}){
return A(this.#e,{method:"DELETE",path:"/login"},e)}mcp({signal:e,...n}){return this.#e.request({...n,path:"/mcp"},e)}log(e,n={}){return this.session(e).log(n)}follow(e,n={}){
return this.session(e).follow(n)}prompt(e,n,r={}){return this.session(e).prompt(n,r)}};var wo=1e3;async function cu(t,e={}){try{return await t.state(e)}catch(n){if(n instanceof Z&&n.code==="too_large")return t.state({...e,entries:wo});throw n}}function pu(t){
let e=(t.part?.told.entries??0)-(t.entries?.length??0);return e>0?`This session is very long: its newest ${(t.entries?.length??0).toLocaleString("en")} entries \
are shown, and ${e.toLocaleString("en")} earlier ones are not.`:""}function Tr(t,e){let n=e?.entryType==="tool_call"?e.data:void 0,r=t.toolKind==="execute"?t.subject??n?.command:void 0;if(r!==void 0&&r!=="")return{kind:"command",
command:r,said:t.text===void 0||t.text===r?"":t.text};if(t.diff!==void 0&&t.diff!==""){let h=t.diffTruncated===!0?`These are the first lines of a diff of ${t.diffBytes??
"more"} bytes: the rest was too long for the log.`:"";return{kind:"diff",diff:t.diff,said:Zt(t),cut:h}}let s=t.arguments??n?.arguments,o=n?.diff??(s===void 0&&t.
text!==void 0&&In(t.text)?t.text:void 0);if(o!==void 0)return{kind:"diff",diff:o,said:"",cut:""};let i=s??t.text,a=i===void 0?void 0:nt(i,!0);if(a!==void 0)return{
kind:"edits",lines:a};let u=t.text??(t.kind==="approval"||t.kind==="caller_tool"?i:void 0)??t.subject??"";return u===""?void 0:{kind:"text",text:xo(u)}}function gu(t,e,n,r){
let s=t.toolKind==="execute"&&t.subject!==void 0&&t.subject!=="",o=!s&&(t.diff===void 0||t.diff==="")&&t.entryId!==void 0;return o&&n!=="read"?n==="reading"?"Wh\
at this is about is still being read.":"What this is about could not be read.":!s&&t.diffTruncated===!0?"Only the beginning of the diff is shown.":o&&e!==void 0&&
"truncated"in e.data&&e.data.truncated===!0?"Only the beginning of what this is about is shown.":r?"Only the first lines of what this is about are shown.":""}function xo(t){
try{return/^\s*[[{]/.test(t)?JSON.stringify(JSON.parse(t),null,2):t}catch{return t}}function wu({request:t,call:e,isFolded:n}){let r=Tr(t,e);return r===void 0?null:r.kind==="diff"?l(P,{children:[r.said===""?null:l("p",{class:"said",dir:"auto",children:m(
r.said)}),l(Pe,{text:r.diff,isFolded:n}),r.cut===""?null:l("p",{class:"note cut",children:r.cut})]}):r.kind==="edits"?l(Pe,{lines:r.lines,label:"What is to be r\
eplaced",isFolded:n}):l(P,{children:[r.kind==="command"?l("pre",{class:"command",tabIndex:0,role:"group","aria-label":"Command",children:m(r.command)}):l("pre",
{class:"wrap",tabIndex:0,role:"group","aria-label":"What is asked about",children:m(r.text)}),r.kind==="command"&&r.said!==""?l("p",{class:"said",children:m(r.said)}):
null,t.cwd?l("p",{class:"note",children:["in ",m(t.cwd)]}):null]})}function vr(t){let e;return function(r){let s=J(e===void 0?"loading":"here"),o=()=>{s.value="loading",t().then(i=>{e=i,s.value="here"},()=>{s.value="failed"})};
return ce(()=>{e===void 0&&o()},[]),s.value==="here"&&e!==void 0?l(e,{...r}):s.value==="failed"?l("div",{class:"empty",role:"alert",children:[l("p",{children:"T\
his part of the page did not come. The daemon is away, or is another version than this page."}),l("p",{children:l("button",{type:"button",onClick:()=>location.reload(),
children:"Load the page again"})})]}):l("p",{class:"empty",role:"status",children:"Loading this view…"})}}function Or(t,e){let n=[],r=new Set;for(let o of t.entries)n.push({kind:"entry",id:o.entryId,seq:o.startSeq}),o.entryType==="user_message"&&o.turnId!==void 0&&r.
add(o.turnId);for(let o of t.turns)o.prompt!==void 0&&!r.has(o.turnId)&&n.push({kind:"prompt",id:`${o.turnId}/prompt`,seq:o.startSeq,turn:o}),o.endSeq!==void 0&&
n.push({kind:"end",id:`${o.turnId}/end`,seq:o.endSeq,turn:o});for(let o of t.requests)o.resolved!==void 0&&o.kind!=="caller_tool"&&n.push({kind:"answer",id:`${o.
requestId}/${o.openedSeq}`,seq:o.resolvedSeq??o.openedSeq,request:o});for(let o of t.children)n.push({kind:"child",id:`child/${o.childSessionId}`,seq:o.seq,child:o});
n.sort((o,i)=>o.seq-i.seq);let s=e===void 0||e===0?-1:n.findIndex(o=>o.seq>e);return s>0&&n.splice(s,0,{kind:"unread",id:"unread",seq:n[s].seq}),n}function Er(t,e,n,r){let s=Math.max(r,400),o=0,i=0;for(;i<t&&o+e(i)<n-s;)o+=e(i++);let a=o,u=i;for(;u<t&&o<n+r+s;)o+=e(u++);let h=0;for(let d=u;d<t;d++)h+=e(d);
return{from:i,to:u,above:a,below:h}}function Cr(t,e,n,r){let s=n+r,o=t,i=0;for(;o>0&&i<s;)i+=e(--o);let a=0;for(let u=0;u<o;u++)a+=e(u);return{from:o,to:t,above:a,
below:0}}var ft=class extends En{state={hasFailed:!1};static getDerivedStateFromError(){return{hasFailed:!0}}render(){return this.state.hasFailed?l("p",{class:"error",children:[
"This cannot be shown here. ",l("code",{children:"ringmaster log"})," has it."]}):l(P,{children:this.props.children})}};var So=vr(()=>import("./part-VAQ7FVPX.js").then(t=>t.Whole));function Rr({session:t,entry:e,isOpen:n,bytes:r}){let s=J(!1);return l("div",{class:"cut",children:[
l("p",{class:"note",children:["The log keeps the beginning of this text",r===void 0?"":`, of ${Math.ceil(r/1024)} KiB in all`,"."]}),n?null:l("button",{type:"bu\
tton",class:"small",onClick:()=>{s.value=!0},children:"Show the whole text"}),s.value?l(So,{session:t,entry:e,close:()=>{s.value=!1}}):null]})}function Pr({beyond:t}){
return t===void 0?null:l("div",{class:"flowing",children:[l("p",{class:"note",children:["The log keeps no more of this text. It goes on, ",Math.ceil(t.bytes/1024),
" KiB so far:"]}),l("p",{class:"typed",dir:"auto",children:m(t.text)})]})}function pn(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var Re=pn();function Br(t){
Re=t}var Oe={exec:()=>null};function ve(t){let e=[];return n=>{let r=Math.max(0,Math.min(3,n-1)),s=e[r];return s||(s=t(r),e[r]=s),s}}function k(t,e=""){let n=typeof t==
"string"?t:t.source,r={replace:(s,o)=>{let i=typeof o=="string"?o:o.source;return i=i.replace(L.caret,"$1"),n=n.replace(s,i),r},getRegex:()=>new RegExp(n,e)};return r}
var zr=((t="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+t)}catch{return!1}})(),L={codeRemoveIndent:/^(?: {0,3}\t| {1,4})/gm,listInterruptsParagraph:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,
outputLinkReplace:/\\([\[\]])/g,indentCodeCompensation:/^(\s+)(?:```)/,beginningSpace:/^\s+/,endingHash:/#$/,startingSpaceChar:/^ /,endingSpaceChar:/ $/,endingSpaceTabChar:/[ \t]$/,
nonSpaceChar:/[^ ]/,newLineCharGlobal:/\n/g,tabCharGlobal:/\t/g,leadingSpaceTab:/^[ \t]+/,multipleSpaceGlobal:/\s+/g,blankLine:/^[ \t]*$/,doubleBlankLine:/\n[ \t]*\n[ \t]*$/,
blockquoteStart:/^ {0,3}>/,blockquoteSetextReplace:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,blockquoteSetextReplace2:/^ {0,3}>[ \t]?/gm,blockquoteMarkerWhitespace:/^( {0,3}>)(\t[ \t]*)/gm,
nestedBlockMarker:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,listReplaceNesting:/^ {1,4}(?=( {4})*[^ ])/g,listIsTask:/^\[[ xX]\][ \t]+\S/,listReplaceTask:/^\[[ xX]\][ \t]+/,
listTaskCheckbox:/\[[ xX]\]/,anyLine:/\n.*\n/,hrefBrackets:/^<(.*)>$/,tableDelimiter:/[:|]/,tableAlignChars:/^\||\| *$/g,tableRowBlankLine:/\n[ \t]*$/,tableAlignRight:/^ *-+: *$/,
tableAlignCenter:/^ *:-+: *$/,tableAlignLeft:/^ *:-+ *$/,startATag:/^<a /i,endATag:/^<\/a>/i,startPreScriptTag:/^<(pre|code|kbd|script)(\s|>)/i,endPreScriptTag:/^<\/(pre|code|kbd|script)(\s|>)/i,
startAngleBracket:/^</,endAngleBracket:/>$/,pedanticHrefTitle:/^([^'"]*[^\s])\s+(['"])(.*)\2/,unicodeAlphaNumeric:/[\p{L}\p{N}]/u,numericCharacterReference:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,
numericCharacterReferenceOrAmpersand:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,escapeTest:/[&<>"']/,escapeReplace:/[&<>"']/g,
escapeTestNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,escapeReplaceNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,
percentDecode:/%25/g,findPipe:/\|/g,splitPipe:/ \|/,slashPipe:/\\\|/g,carriageReturn:/\r\n|\r/g,spaceLine:/^ +$/gm,notSpaceStart:/^\S*/,endingNewline:/\n$/,listItemRegex:t=>new RegExp(
`^( {0,3}${t})((?:[	 ][^\\n]*)?(?:\\n|$))`),nextBulletRegex:ve(t=>new RegExp(`^ {0,${t}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),hrRegex:ve(t=>new RegExp(
`^ {0,${t}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),fencesBeginRegex:ve(t=>new RegExp(`^ {0,${t}}(?:\`\`\`|~~~)`)),headingBeginRegex:ve(t=>new RegExp(
`^ {0,${t}}#{1,6}(?:\\s|$)`)),pedanticHeadingBeginRegex:ve(t=>new RegExp(`^ {0,${t}}#`)),htmlBeginRegex:ve(t=>new RegExp(`^ {0,${t}}(?:</?(?:${hn})(?:[ \\t]+|$|/\
?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),blockquoteBeginRegex:ve(t=>new RegExp(`^ {0,${t}}>`)),nestedContainerMarkers:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},
To=/^(?:[ \t]*(?:\n|$))+/,vo=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,Oo=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,
He=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,Eo=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,dn=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,hn="address|a\
rticle|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1\
-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|the\
ad|title|tr|track|ul",Qe=k(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("\
tag",hn).getRegex(),Fr=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,
Jr=k(Fr).replace(/bull/g,dn).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,
/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,Qe).getRegex(),
Co=k(Fr).replace(/bull/g,dn).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,
/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).
replace(/html/g,Qe).getRegex(),fn=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,Ro=/^[^\n]+/,gn=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,
Po=k(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",gn).replace("\
title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),qo=k(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,
dn).getRegex(),mn=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,_o=k("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?\
(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script\
|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$)\
)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",mn).replace("tag",hn).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).
getRegex(),Ur=t=>k(fn).replace("hr",He).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").
replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",t).replace("html",Qe).getRegex(),Ao=Ur(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),
$o=Ur(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),Io=k(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",$o).getRegex(),yn={
blockquote:Io,code:vo,def:Po,fences:Oo,heading:Eo,hr:He,html:_o,lheading:Jr,list:qo,newline:To,paragraph:Ao,table:Oe,text:Ro},qr=k("^ *([^\\n ].*)\\n {0,3}((?:\\| \
*)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",He).replace("heading",
" {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*\
(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",Qe).getRegex(),Lo={...yn,lheading:Co,table:qr,paragraph:k(fn).replace("hr",He).replace(
"heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",qr).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$\
))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",Qe).getRegex()},Mo={...yn,html:k(`^ *(?:comment(?: *\\n|\\s*$)|<\
(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment",mn).replace(/tag/g,"(?!(?:a|em|stro\
ng|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(),
def:/^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/,heading:/^(#{1,6})(.*)(?:\n+|$)/,fences:Oe,lheading:/^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/,paragraph:k(
fn).replace("hr",He).replace("heading",` *#{1,6} *[^
]`).replace("|table","").replace("blockquote"," {0,3}>").replace("|fences","").replace("|list","").replace("|html","").replace("|tag","").replace("lheading",Jr).
getRegex()},No=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,jo=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,Wr=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,Do=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,
Y=/[\p{P}\p{S}]/u,Le=/[\s\p{P}\p{S}]/u,Ze=/[^\s\p{P}\p{S}]/u,Bo=k(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,Le).getRegex(),zo=/[\p{Pi}\p{Ps}"']/u,Kr=/(?!~)[\p{P}\p{S}]/u,
Fo=/(?!~)[\s\p{P}\p{S}]/u,Jo=/(?:[^\s\p{P}\p{S}]|~)/u,Uo=k(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).
replace("precode-",zr?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),Xr=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,
Wo=k(Xr,"u").replace(/punct/g,Y).getRegex(),Ko=k(Xr,"u").replace(/punct/g,Kr).getRegex(),Xo=/^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/,
Go=k(Xo,"u").replace(/openQuote/g,zo).replace(/punct/g,Y).getRegex(),Gr="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace\
(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",
Ho=k(Gr,"gu").replace(/notPunctSpace/g,Ze).replace(/punctSpace/g,Le).replace(/punct/g,Y).getRegex(),Qo=k(Gr,"gu").replace(/notPunctSpace/g,Jo).replace(/punctSpace/g,
Fo).replace(/punct/g,Kr).getRegex(),Zo="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*\
)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)",Vo=k(
Zo,"gu").replace(/notPunctSpace/g,Ze).replace(/punctSpace/g,Le).replace(/punct/g,Y).getRegex(),Yo=k("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punc\
t(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(
/notPunctSpace/g,Ze).replace(/punctSpace/g,Le).replace(/punct/g,Y).getRegex(),ei="^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|not\
PunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=n\
otPunctSpace)",ti=k(ei,"gu").replace(/notPunctSpace/g,Ze).replace(/punctSpace/g,Le).replace(/punct/g,Y).getRegex(),ni=k(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(
/punct/g,Y).getRegex(),ri="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)\
(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",si=k(ri,"gu").replace(/notPunctSpace/g,Ze).replace(/punctSpace/g,Le).replace(/punct/g,
Y).getRegex(),oi=k(/\\(punct)/,"gu").replace(/punct/g,Y).getRegex(),ii=k(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,Y).getRegex(),
ai=k(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).
getRegex(),li=k(mn).replace("(?:-->|$)","-->").getRegex(),ui=k("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\\
?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",li).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).
getRegex(),Hr=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,yt=k(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brack\
ets",Hr).getRegex(),ci=k(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",yt).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).
replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),pi=k(/^!?\[(label)\]\[(ref)\]/).replace("label",yt).replace(
"ref",gn).getRegex(),di=k(/^!?\[(ref)\](?:\[\])?/).replace("ref",gn).getRegex(),_r=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,hi=k(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).
replace("brackets",Hr).getRegex(),fi=k("reflink|nolink(?!\\()","g").replace("reflink",k(/^!?\[(label)\]\[(ref)\]/).replace("label",hi).replace("ref",_r).getRegex()).
replace("nolink",k(/^!?\[(ref)\](?:\[\])?/).replace("ref",_r).getRegex()).getRegex(),Ar=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,gi=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,
mi=k(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,gi).getRegex(),bn={_backpedal:Oe,anyPunctuation:oi,anyPunctuationOutsideCode:ii,autolink:ai,
blockSkip:Uo,br:Wr,code:jo,del:Oe,delLDelim:Oe,delRDelim:Oe,emStrongLDelim:Wo,emStrongRDelimAst:Ho,emStrongRDelimUnd:Yo,escape:No,link:ci,nolink:di,punctuation:Bo,
reflink:pi,reflinkSearch:fi,tag:ui,text:Do,url:Oe},yi={...bn,emStrongLDelim:Go,emStrongRDelimAst:Vo,emStrongRDelimUnd:ti,link:k(/^!?\[(label)\]\((.*?)\)/).replace(
"label",yt).getRegex(),reflink:k(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label",yt).getRegex()},ln={...bn,emStrongRDelimAst:Qo,emStrongLDelim:Ko,delLDelim:ni,
delRDelim:si,url:k(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",mi).replace("protocol",Ar).replace("\
email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,
del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:k(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).
replace("protocol",Ar).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",zr?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},bi={...ln,br:k(Wr).replace(
"{2,}","*").getRegex(),text:k(ln.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},gt={normal:yn,gfm:Lo,pedantic:Mo},Xe={normal:bn,gfm:ln,
breaks:bi,pedantic:yi},ki={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},$r=t=>ki[t];function B(t,e){if(e){if(L.escapeTest.test(t))return t.replace(
L.escapeReplace,$r)}else if(L.escapeTestNoEncode.test(t))return t.replace(L.escapeReplaceNoEncode,$r);return t}function wi(t){return L.numericCharacterReference.
test(t)?t.replace(L.numericCharacterReferenceOrAmpersand,(e,n,r)=>{if(n===void 0&&r===void 0)return"&amp;";let s=n===void 0?Number.parseInt(r,16):Number.parseInt(
n,10);return s===0||s>1114111||s>=55296&&s<=57343?"�":s===38?"&amp;":String.fromCodePoint(s)}):t}function Ir(t){try{t=encodeURI(t).replace(L.percentDecode,"%")}catch{
return null}return t}function Lr(t,e){let n=t.replace(L.findPipe,(o,i,a)=>{let u=!1,h=i;for(;--h>=0&&a[h]==="\\";)u=!u;return u?"|":" |"}),r=n.split(L.splitPipe),
s=0;if(r[0].trim()||r.shift(),r.length>0&&!r.at(-1)?.trim()&&r.pop(),e)if(r.length>e)r.splice(e);else for(;r.length<e;)r.push("");for(;s<r.length;s++)r[s]=r[s].
trim().replace(L.slashPipe,"|");return r}function ae(t,e,n){let r=t.length;if(r===0)return"";let s=0;for(;s<r;){let o=t.charAt(r-s-1);if(o===e&&!n)s++;else if(o!==
e&&n)s++;else break}return t.slice(0,r-s)}function Mr(t){let e=t.split(`
`),n=e.length-1;for(;n>=0&&L.blankLine.test(e[n]);)n--;return e.length-n<=2?t:e.slice(0,n+1).join(`
`)}function bt(t){return t.trim().replace(L.multipleSpaceGlobal," ").toLowerCase().toUpperCase().toLowerCase()}function Nr(t,e){if(t.indexOf(e[0])===-1&&t.indexOf(
e[1])===-1)return-1;let n=0;for(let r=0;r<t.length;r++)if(t[r]==="\\")r++;else if(t[r]===e[0])n++;else if(t[r]===e[1]&&(n--,n<0))return r;return n>0?-2:-1}var Ie=new WeakMap;
function kn(t){let e={"*":-1,_:-1},n=-1,r=t.length;for(let s=0;s<r;s++){let o=t[s];if(o!=="*"&&o!=="_"&&o!=="~")continue;let i=s===0?`
`:t[s-1],a=s+1;for(;a<r&&t[a]===o;)a++;i!==" "&&i!=="	"&&i!==`
`&&i!=="\r"&&i!=="\f"&&(o==="~"?n=s:e[o]=s),s=a-1}return{maskedSrc:t,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:n}}function xi(t,e){let n=kn(e),
r=Ie.get(t);r?r.push(n):Ie.set(t,[n])}function Si(t){let e=Ie.get(t);e&&(e.pop(),e.length===0&&Ie.delete(t))}function Qr(t,e,n){let r=Ie.get(t)?.at(-1);return r&&
r.maskedSrc===e?r.lastPossibleEmStrongCloserIndex[n]:kn(e).lastPossibleEmStrongCloserIndex[n]}function Zr(t,e){let n=Ie.get(t)?.at(-1);return n&&n.maskedSrc===e?
n.lastPossibleDelCloserIndex:kn(e).lastPossibleDelCloserIndex}function mt(t,e=0){let n=e,r="";for(let s of t)if(s==="	"){let o=4-n%4;r+=" ".repeat(o),n+=o}else r+=
s,n++;return r}function Ti(t,e){let n="";for(let r=0;r<t.length;r++){if(t[r]==="`"){let s=e.inline.code.exec(t.slice(r));if(s){n+=s[0],r+=s[0].length-1;continue}}
if(t[r]==="\\"&&(t[r+1]==="["||t[r+1]==="]")){n+=t[r+1],r++;continue}n+=t[r]}return n}function jr(t,e,n,r,s){let o=e.href,i=e.title||null,a=Ti(t[1],s),u=t[0].charAt(
0)==="!",h=r.state.inLink,d=r.state.linkEmitted,g=r.state.inRawBlock;r.state.inLink=!0,r.state.linkEmitted=!1;let f=r.inlineTokens(a),b=r.state.linkEmitted;if(r.
state.linkEmitted=d,r.state.inLink=h,!u){if(b){r.state.inRawBlock=g;return}r.state.linkEmitted=!0}return{type:u?"image":"link",raw:n,href:o,title:i,text:a,tokens:f}}
function vi(t,e,n){let r=t.match(n.other.indentCodeCompensation);if(r===null)return e;let s=r[1];return e.split(`
`).map(o=>{let i=o.match(n.other.beginningSpace);if(i===null)return o;let[a]=i;return o.slice(Math.min(a.length,s.length))}).join(`
`)}function Dr(t,e,n,r){if(!e.includes("<"))return!1;for(let s=0;s<e.length;s++){if(e[s]==="\\"){s++;continue}if(e[s]==="`"){let a=r.inline.code.exec(e.slice(s));
if(a){s+=a[0].length-1;continue}}if(e[s]!=="<")continue;let o=t.slice(n+s),i=r.inline.tag.exec(o)||r.inline.autolink.exec(o);if(i){if(i[0].length>e.length-s)return!0;
s+=i[0].length-1}}return!1}var Ee=class{options;rules;lexer;constructor(t){this.options=t||Re}space(t){let e=this.rules.block.newline.exec(t);if(e&&e[0].length>
0)return{type:"space",raw:e[0]}}code(t){let e=this.rules.block.code.exec(t);if(e){let n=this.options.pedantic?e[0]:Mr(e[0]),r=n.replace(this.rules.other.codeRemoveIndent,
"");return{type:"code",raw:n,codeBlockStyle:"indented",text:r}}}fences(t){let e=this.rules.block.fences.exec(t);if(e){let n=e[0],r=vi(n,e[3]||"",this.rules);return e[3]!==
void 0&&(r===""||r.endsWith(`
`))&&(r+=`
`),{type:"code",raw:n,lang:e[2]?e[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):e[2],text:r}}}heading(t){let e=this.rules.block.heading.exec(t);if(e){
let n=e[2].trim();if(this.rules.other.endingHash.test(n)){let r=ae(n,"#");(this.options.pedantic||!r||this.rules.other.endingSpaceTabChar.test(r))&&(n=r.trim())}
return{type:"heading",raw:ae(e[0],`
`),depth:e[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(t){let e=this.rules.block.hr.exec(t);if(e)return{type:"hr",raw:ae(e[0],`
`)}}blockquote(t){let e=this.rules.block.blockquote.exec(t);if(e){let n=ae(e[0],`
`).split(`
`),r="",s="",o=[];for(;n.length>0;){let i=!1,a=[],u;for(u=0;u<n.length;u++)if(this.rules.other.blockquoteStart.test(n[u]))a.push(n[u]),i=!0;else if(!i)a.push(n[u]);else
break;n=n.slice(u);let h=a.join(`
`),d=h.replace(this.rules.other.blockquoteMarkerWhitespace,(b,y,C)=>C.startsWith(" ")?y+" "+C.slice(1):y+mt(C,y.length)).replace(this.rules.other.blockquoteSetextReplace,
`
    $1`).replace(this.rules.other.blockquoteSetextReplace2,"");r=r?`${r}
${h}`:h,s=s?`${s}
${d}`:d;let g=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(d,o,!0),this.lexer.state.top=g,n.length===0)break;let f=o.at(-1);if(f?.type===
"code"||f?.type==="heading"||f?.type==="hr"||f?.type==="html"||f?.type==="table")break;if(f?.type==="blockquote"){let b=f,y=n.join(`
`),C=b.raw+`
`+y.replace(this.rules.other.blockquoteSetextReplace2,""),S=this.blockquote(C);o[o.length-1]=S;let O=C.substring(S.raw.length).replace(/^\n/,""),N=O?O.split(`
`).length:0,E=N?n.slice(0,-N):n;if(E.length>0&&(r=`${r}
${E.join(`
`)}`),s=s.substring(0,s.length-b.text.length)+S.text,n=n.slice(E.length),n.length>0&&this.rules.other.blockquoteStart.test(n[0]))continue;break}else if(f?.type===
"list"){let b=f,y=b.raw+`
`+n.join(`
`),C=this.list(y);o[o.length-1]=C;let S=C.raw.length>b.raw.length?y.slice(b.raw.length+1,C.raw.length).split(`
`).length:0;if(S>0){let O=n.slice(0,S).join(`
`);r=`${r}
${O}`,s=`${s}
${O}`}if(n=n.slice(S),n.length>0&&!this.rules.other.blockquoteStart.test(n[0]))break;continue}}return{type:"blockquote",raw:r,tokens:o,text:s}}}list(t){let e=this.
rules.block.list.exec(t);if(e){if(!this.options.pedantic&&this.lexer.state.lastToken?.type==="text"&&!this.rules.other.listInterruptsParagraph.test(t))return;let n=t,
r=()=>n.length-t.length,s=e[1].trim(),o=s.length>1,i={type:"list",raw:"",ordered:o,start:o?+s.slice(0,-1):"",loose:!1,items:[]};s=o?`\\d{1,9}\\${s.slice(-1)}`:`\
\\${s}`,this.options.pedantic&&(s=o?s:"[*+-]");let a=this.rules.other.listItemRegex(s),u=!1;for(;t;){let g=!1,f="";if(!(e=a.exec(t))||this.rules.block.hr.test(t))
break;let b=r();t=t.substring(e[0].length);let y=e[2].split(`
`,1)[0],C=e[1].length,S=this.options.pedantic?mt(y,C):y.replace(this.rules.other.leadingSpaceTab,z=>mt(z,C)),O=t.split(`
`,1)[0],N=!S.trim(),E=0;if(this.options.pedantic?(E=2,f=S.trimStart()):N?E=C+1:(E=S.search(this.rules.other.nonSpaceChar),E=E>4?1:E,f=S.slice(E),E+=C),N&&this.rules.
other.blankLine.test(O)&&(t=t.substring(O.length+1),g=!0),!g){let z=this.rules.other.nextBulletRegex(E),ne=this.rules.other.hrRegex(E),Q=this.rules.other.fencesBeginRegex(
E),U=this.options.pedantic?this.rules.other.pedanticHeadingBeginRegex(E):this.rules.other.headingBeginRegex(E),le=this.rules.other.htmlBeginRegex(E),ge=this.rules.
other.blockquoteBeginRegex(E),Me=!1;for(;t;){let Ne=t.split(`
`,1)[0],ue;if(O=Ne,this.options.pedantic?(O=O.replace(this.rules.other.listReplaceNesting,"  "),ue=O):ue=O.replace(this.rules.other.leadingSpaceTab,w=>mt(w)),Q.
test(O)||U.test(O)||le.test(O)||ge.test(O)||z.test(O)||ne.test(O))break;if(ue.search(this.rules.other.nonSpaceChar)>=E||!O.trim())f+=`
`+ue.slice(E),Me=!1;else{if(N)break;let w=S;if(!this.options.pedantic&&!f.includes(`
`)&&!S.includes("	")){let $;for(;!ne.test(w)&&($=this.rules.other.nestedBlockMarker.exec(w));)w=w.slice($[0].length);if(!w.trim())break}if(w.replace(this.rules.
other.tabCharGlobal,"    ").search(this.rules.other.nonSpaceChar)>=4||Q.test(w)||U.test(w)||le.test(w)||ne.test(w))break;if(!this.options.pedantic&&!Me){let $=S.
replace(this.rules.other.nestedContainerMarkers,"");if(this.rules.block.fences.test($)||this.rules.block.heading.test($)||this.rules.block.hr.test($))break}let F=!this.
options.pedantic&&/^ {0,3}(?:=+|-+) *$/.test(O)&&this.rules.block.lheading.test(`${S}
${O}`)?`    ${ue.replace(/^ {0,3}/,"")}`:O;f+=`
`+F,Me=!0}N=!O.trim(),t=t.substring(Ne.length+1),S=ue.slice(E)}}let te=n.slice(b,r());i.loose||(u?i.loose=!0:this.rules.other.doubleBlankLine.test(te)&&(u=!0)),
i.items.push({type:"list_item",raw:te,task:!!this.options.gfm&&this.rules.other.listIsTask.test(f),loose:!1,text:f,tokens:[]})}let h=i.items.at(-1);if(h)h.raw=h.
raw.trimEnd(),h.text=h.text.trimEnd();else return;i.raw=n.slice(0,r()).trimEnd();let d=[];for(let g of i.items)if(this.lexer.state.top=!1,d.push(this.lexer.inlineQueue.
length),g.tokens=this.lexer.blockTokens(g.text,[]),!i.loose){let f=g.tokens.filter(y=>y.type==="space"),b=f.length>0&&f.some(y=>this.rules.other.anyLine.test(y.
raw));i.loose=b}for(let g=0;g<i.items.length;g++){let f=i.items[g],b=f.tokens[0];if(f.task&&(b?.type==="text"||b?.type==="paragraph")){f.text=f.text.replace(this.
rules.other.listReplaceTask,""),b.raw=b.raw.replace(this.rules.other.listReplaceTask,""),b.text=b.text.replace(this.rules.other.listReplaceTask,"");let y=this.lexer.
inlineQueue;for(let S=d[g];S<y.length;S++)if(y[S].tokens===b.tokens){y[S].src=y[S].src.replace(this.rules.other.listReplaceTask,"");break}let C=this.rules.other.
listTaskCheckbox.exec(f.raw);if(C){let S={type:"checkbox",raw:C[0]+" ",checked:C[0]!=="[ ]"};f.checked=S.checked,i.loose?f.tokens[0]&&["paragraph","text"].includes(
f.tokens[0].type)&&"tokens"in f.tokens[0]&&f.tokens[0].tokens?(f.tokens[0].raw=S.raw+f.tokens[0].raw,f.tokens[0].text=S.raw+f.tokens[0].text,f.tokens[0].tokens.
unshift(S)):f.tokens.unshift({type:"paragraph",raw:S.raw,text:S.raw,tokens:[S]}):f.tokens.unshift(S)}}else f.task&&(f.task=!1)}if(i.loose)for(let g of i.items){
g.loose=!0;for(let f of g.tokens)f.type==="text"&&(f.type="paragraph")}return i}}html(t){let e=this.rules.block.html.exec(t);if(e){if(this.lexer.state.lastToken?.
type==="paragraph"&&!this.rules.other.htmlBeginRegex(4).test(t))return;let n=Mr(e[0]);return{type:"html",block:!0,raw:n,pre:e[1]==="pre"||e[1]==="script"||e[1]===
"style",text:n}}}def(t){let e=this.rules.block.def.exec(t);if(e){if(!this.rules.other.startAngleBracket.test(e[2])&&Nr(e[2],"()")!==-1)return;let n=bt(e[1]),r=e[2]?
e[2].replace(this.rules.other.hrefBrackets,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",s=e[3]?e[3].substring(1,e[3].length-1).replace(this.rules.inline.
anyPunctuation,"$1"):e[3];return{type:"def",tag:n,raw:ae(e[0],`
`),href:r,title:s}}}table(t){let e=this.rules.block.table.exec(t);if(!e||!this.rules.other.tableDelimiter.test(e[2]))return;let n=Lr(e[1]),r=e[2].replace(this.rules.
other.tableAlignChars,"").split("|"),s=e[3]?.trim()?e[3].replace(this.rules.other.tableRowBlankLine,"").split(`
`):[],o={type:"table",raw:ae(e[0],`
`),header:[],align:[],rows:[]};if(n.length===r.length){for(let i of r)this.rules.other.tableAlignRight.test(i)?o.align.push("right"):this.rules.other.tableAlignCenter.
test(i)?o.align.push("center"):this.rules.other.tableAlignLeft.test(i)?o.align.push("left"):o.align.push(null);for(let i=0;i<n.length;i++)o.header.push({text:n[i],
tokens:this.lexer.inline(n[i]),header:!0,align:o.align[i]});for(let i of s)o.rows.push(Lr(i,o.header.length).map((a,u)=>({text:a,tokens:this.lexer.inline(a),header:!1,
align:o.align[u]})));return o}}lheading(t){let e=this.rules.block.lheading.exec(t);if(e){let n=e[1].trim();return{type:"heading",raw:ae(e[0],`
`),depth:e[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(t){let e=this.rules.block.paragraph.exec(t);if(e){let n=e[1].charAt(e[1].length-
1)===`
`?e[1].slice(0,-1):e[1];return{type:"paragraph",raw:e[0],text:n,tokens:this.lexer.inline(n)}}}text(t){let e=this.rules.block.text.exec(t);if(e)return{type:"text",
raw:e[0],text:e[0],tokens:this.lexer.inline(e[0])}}escape(t){if(t.charCodeAt(0)!==92)return;let e=this.rules.inline.escape.exec(t);if(e)return{type:"escape",raw:e[0],
text:e[1]}}tag(t){if(t.charCodeAt(0)!==60)return;let e=this.rules.inline.tag.exec(t);if(e)return!this.lexer.state.inLink&&this.rules.other.startATag.test(e[0])?
this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.endATag.test(e[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.
startPreScriptTag.test(e[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.endPreScriptTag.test(e[0])&&(this.lexer.state.inRawBlock=
!1),{type:"html",raw:e[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:e[0]}}link(t){if(this.lexer.state.linkParenPossible===
!1)return;let e=t.charCodeAt(0);if(e!==91&&e!==33)return;let n=this.rules.inline.link.exec(t);if(n){let r=n[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&Dr(
t,n[1],r,this.rules))return;let s=n[2].trim();if(!this.options.pedantic&&this.rules.other.startAngleBracket.test(s)){if(!this.rules.other.endAngleBracket.test(s))
return;let u=ae(s.slice(0,-1),"\\");if((s.length-u.length)%2===0)return}else{let u=Nr(n[2],"()");if(u===-2)return;if(u>-1){let h=(n[0].indexOf("!")===0?5:4)+n[1].
length+u;n[2]=n[2].substring(0,u),n[0]=n[0].substring(0,h).trim(),n[3]=""}}let o=ae(n[0].slice(0,-1),"\\");if((n[0].length-o.length)%2===0)return;let i=n[2],a="";
if(this.options.pedantic){let u=this.rules.other.pedanticHrefTitle.exec(i);u&&(i=u[1],a=u[3])}else a=n[3]?n[3].slice(1,-1):"";return i=i.trim(),this.rules.other.
startAngleBracket.test(i)&&(this.options.pedantic&&!this.rules.other.endAngleBracket.test(s)?i=i.slice(1):i=i.slice(1,-1)),jr(n,{href:i&&i.replace(this.rules.inline.
anyPunctuation,"$1"),title:a&&a.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(t,e){let n=t.charCodeAt(0);if(n!==91&&n!==33)
return;let r;if((r=this.rules.inline.reflink.exec(t))||(r=this.rules.inline.nolink.exec(t))){let s=r[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&Dr(t,r[1],
s,this.rules))return;let o=e[bt(r[2]||r[1])];if(!o){let i=r[0].charAt(0);return{type:"text",raw:i,text:i}}return jr(r,o,r[0],this.lexer,this.rules)}}emStrong(t,e,n=""){
let r=this.rules.inline.emStrongLDelim.exec(t);if(!r||!r[1]&&!r[2]&&!r[3]&&!r[4])return;let s=r[0][0],o=n===s,i=e.length-t.length,a=i;for(;!this.options.pedantic&&
a>0&&e[a-1]===s;)a--;let u=[...e.slice(Math.max(0,a-2),a)].at(-1)??"",h=u==="*"||u==="_"||!!this.rules.inline.punctuation.exec(u);a<i&&(n=u);let d=a<i?h:n==="*"||
n==="_"||!!this.rules.inline.punctuation.exec(n);if(r[4]&&n.match(this.rules.other.unicodeAlphaNumeric))return;let g=r[1]||r[3]||"";if(!g||!n||d){let f=[...r[0]].
length-1,b,y,C=f,S=0,O=i-a+f,N=!this.options.pedantic&&!!u.trim()&&(!!g||s==="*"&&!h);if(s!=="*"&&s!=="_")return;let E=s==="*"?this.rules.inline.emStrongRDelimAst:
this.rules.inline.emStrongRDelimUnd,te=Qr(this,e,s),z=e.length-t.length+f;if(te<z)return;e=e.slice(-1*t.length+f);let ne=te-z;for(E.lastIndex=0;(r=E.exec(e))!==
null&&!(r.index>ne);){if(b=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!b)continue;if(y=[...b].length,r[3]||r[4]){C+=y;continue}else if((r[5]||r[6]||N)&&O%3&&!((O+y)%3)){
if(o&&(r[5]||r[6]))break;S+=y;continue}if(C-=y,C>0)continue;y=Math.min(y,y+C+S);let Q=[...r[0]][0].length,U=t.slice(0,f+r.index+Q+y);if(Math.min(f,y)%2){let ge=U.
slice(1,-1);return{type:"em",raw:U,text:ge,tokens:this.lexer.inlineTokens(ge)}}let le=U.slice(2,-2);return{type:"strong",raw:U,text:le,tokens:this.lexer.inlineTokens(
le)}}}}codespan(t){if(t.charCodeAt(0)!==96)return;let e=this.rules.inline.code.exec(t);if(e){let n=e[2].replace(this.rules.other.newLineCharGlobal," "),r=this.rules.
other.nonSpaceChar.test(n),s=this.rules.other.startingSpaceChar.test(n)&&this.rules.other.endingSpaceChar.test(n);return r&&s&&(n=n.substring(1,n.length-1)),{type:"\
codespan",raw:e[0],text:n}}}br(t){let e=t.charCodeAt(0);if(e!==32&&e!==92&&e!==10)return;let n=this.rules.inline.br.exec(t);if(n)return{type:"br",raw:n[0]}}del(t,e,n=""){
if(t.charCodeAt(0)!==126)return;let r=this.rules.inline.delLDelim.exec(t);if(r&&(!r[1]||!n||this.rules.inline.punctuation.exec(n))){let s=[...r[0]].length-1,o,i,
a=s,u=this.rules.inline.delRDelim,h=Zr(this,e),d=e.length-t.length+s;if(h<d)return;e=e.slice(-1*t.length+s);let g=h-d;for(u.lastIndex=0;(r=u.exec(e))!==null&&!(r.
index>g);){if(o=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!o||(i=[...o].length,i!==s))continue;if(r[3]||r[4]){a+=i;continue}if(a-=i,a>0)continue;i=Math.min(i,i+a);let f=[
...r[0]][0].length,b=t.slice(0,s+r.index+f+i),y=b.slice(s,-s);return{type:"del",raw:b,text:y,tokens:this.lexer.inlineTokens(y)}}}}autolink(t){if(t.charCodeAt(0)!==
60)return;let e=this.rules.inline.autolink.exec(t);if(e){let n,r;return e[2]==="@"?(n=e[1],r="mailto:"+n):(n=e[1],r=n),{type:"link",raw:e[0],text:n,href:r,autolink:!0,
tokens:[{type:"text",raw:n,text:n}]}}}url(t){let e;if(e=this.rules.inline.url.exec(t)){let n,r;if(e[2]==="@")n=e[0],r="mailto:"+n;else{let s;do s=e[0],e[0]=this.
rules.inline._backpedal.exec(e[0])?.[0]??"";while(s!==e[0]);n=e[0],e[1]==="www."?r="http://"+e[0]:r=e[0]}return{type:"link",raw:e[0],text:n,href:r,autolink:!0,tokens:[
{type:"text",raw:n,text:n}]}}}inlineText(t){let e=this.rules.inline.text.exec(t);if(e){let n=this.lexer.state.inRawBlock;return{type:"text",raw:e[0],text:n?e[0]:
wi(e[0]),escaped:n}}}},G=class un{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||
Re,this.options.tokenizer=this.options.tokenizer||new Ee,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.
inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let n={other:L,block:gt.normal,inline:Xe.normal};this.options.pedantic?
(n.block=gt.pedantic,n.inline=Xe.pedantic):this.options.gfm&&(n.block=gt.gfm,this.options.breaks?n.inline=Xe.breaks:n.inline=Xe.gfm),this.tokenizer.rules=n}static get rules(){
return{block:gt,inline:Xe}}static lex(e,n){return new un(n).lex(e)}static lexInline(e,n){return new un(n).inlineTokens(e)}lex(e){e=e.replace(L.carriageReturn,`
`),this.blockTokens(e,this.tokens);for(let n=0;n<this.inlineQueue.length;n++){let r=this.inlineQueue[n];this.state.inRawBlock=!1,this.inlineTokens(r.src,r.tokens)}
return this.inlineQueue=[],this.tokens}blockTokens(e,n=[],r=!1){this.tokenizer.lexer=this;let s=this.state.lastToken;this.options.pedantic&&(e=e.replace(L.tabCharGlobal,
"    ").replace(L.spaceLine,""));let o=1/0,i,a=this.options.gfm&&!this.options.pedantic&&this.tokenizer.paragraph===Ee.prototype.paragraph;for(;e;){if(e.length<
o)o=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=n.at(-1);let u;if(this.options.extensions?.block?.some(d=>(u=d.call({lexer:this},
e,n))?(e=e.substring(u.raw.length),n.push(u),!0):!1))continue;if(u=this.tokenizer.space(e)){e=e.substring(u.raw.length);let d=n.at(-1);u.raw.length===1&&d!==void 0?
d.raw+=`
`:n.push(u);continue}if(u=this.tokenizer.code(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.at(-1).src=d.text):n.push(u);continue}if(u=this.tokenizer.fences(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.
heading(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.hr(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.blockquote(
e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.list(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.html(e)){e=e.
substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.def(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=
(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.raw,this.inlineQueue.at(-1).src=d.text):(this.tokens.links[u.tag]||(this.tokens.links[u.tag]={href:u.href,title:u.title}),n.push(u));continue}if(u=this.tokenizer.
table(e)){e=e.substring(u.raw.length),n.push(u);continue}if(u=this.tokenizer.lheading(e)){e=e.substring(u.raw.length),n.push(u);continue}let h=e;if(this.options.
extensions?.startBlock){let d=1/0,g=e.slice(1),f;this.options.extensions.startBlock.forEach(b=>{f=b.call({lexer:this},g),typeof f=="number"&&f>=0&&(d=Math.min(d,
f))}),d<1/0&&d>=0&&(h=e.substring(0,d+1))}if(this.state.top&&(u=this.tokenizer.paragraph(h))){let d=n.at(-1);(r||d===i&&a)&&d?.type==="paragraph"?(d.raw+=(d.raw.
endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text,i=d):(n.push(u),i=u),r=h.length!==e.length,e=e.substring(u.raw.length);continue}if(u=this.tokenizer.
text(e)){e=e.substring(u.raw.length);let d=n.at(-1);d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+u.raw,d.text+=`
`+u.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text):n.push(u);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=
!0,this.state.lastToken=s,n}inline(e,n=[]){return this.inlineQueue.push({src:e,tokens:n}),n}linkInText(e){if(!e.includes("["))return!1;let n=this.tokenizer.rules.
inline.link;for(let r of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(n.test(r[0])&&e.charAt(r.index-1)!=="!")return!0;for(let r of e.matchAll(this.tokenizer.
rules.inline.reflinkSearch)){let s=r[0],o=s.lastIndexOf("[");if(!(s.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,bt(s.slice(o+1,-1))))&&!(o>1&&this.linkInText(
s.slice(1,o-1))))return!0}return!1}inlineTokens(e,n=[]){this.tokenizer.lexer=this;let r=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");
try{return this.#e(e,n)}finally{this.state.linkParenPossible=r}}#e(e,n){let r=e.includes("*")||e.includes("_")||e.includes("~"),s=r||this.options.hooks?.emStrongMask||
this.tokenizer.emStrong!==Ee.prototype.emStrong||this.tokenizer.del!==Ee.prototype.del?this.#n(e):e;if(!r)return this.#t(e,s,n);xi(this.tokenizer,s);try{return this.#t(
e,s,n)}finally{Si(this.tokenizer)}}#t(e,n,r){let s=!1,o="",i=1/0;for(;e;){if(e.length<i)i=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}s||(o=""),
s=!1;let a;if(this.options.extensions?.inline?.some(d=>(a=d.call({lexer:this},e,r))?(e=e.substring(a.raw.length),r.push(a),!0):!1))continue;if(a=this.tokenizer.
escape(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.tag(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.link(e)){
e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(a.raw.length);let d=r.at(-1);a.type==="text"&&d?.
type==="text"?(d.raw+=a.raw,d.text+=a.text):r.push(a);continue}let u=e[0];if(u==="*"||u==="_"){let d=n.length-e.length;if(Qr(this.tokenizer,n,u)<=d){let g=1;for(;g<
e.length&&e.charCodeAt(g)===u.charCodeAt(0);)g++;let f=e.substring(0,g),b=r.at(-1);b?.type==="text"&&!b.escaped?(b.raw+=f,b.text+=f):r.push({type:"text",raw:f,text:f,
escaped:!1}),e=e.substring(g),o=u,s=!0;continue}}else if(u==="~"){let d=n.length-e.length;if(Zr(this.tokenizer,n)<=d){let g=1;for(;g<e.length&&e.charCodeAt(g)===
126;)g++;let f=e.substring(0,g),b=r.at(-1);b?.type==="text"&&!b.escaped?(b.raw+=f,b.text+=f):r.push({type:"text",raw:f,text:f,escaped:!1}),e=e.substring(g),o=u,
s=!0;continue}}if(a=this.tokenizer.emStrong(e,n,o)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.codespan(e)){e=e.substring(a.raw.length),
r.push(a);continue}if(a=this.tokenizer.br(e)){e=e.substring(a.raw.length),r.push(a);continue}if(a=this.tokenizer.del(e,n,o)){e=e.substring(a.raw.length),r.push(
a);continue}if(a=this.tokenizer.autolink(e)){e=e.substring(a.raw.length),r.push(a);continue}if(!this.state.inLink&&(a=this.tokenizer.url(e))){e=e.substring(a.raw.
length),r.push(a);continue}let h=e;if(this.options.extensions?.startInline){let d=1/0,g=e.slice(1),f;this.options.extensions.startInline.forEach(b=>{f=b.call({lexer:this},
g),typeof f=="number"&&f>=0&&(d=Math.min(d,f))}),d<1/0&&d>=0&&(h=e.substring(0,d+1))}if(a=this.tokenizer.inlineText(h)){e=e.substring(a.raw.length),a.raw.slice(
-1)!=="_"&&(o=a.raw.slice(-1)),s=!0;let d=r.at(-1);d?.type==="text"?(d.raw+=a.raw,d.text+=a.text):r.push(a);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));
break}}return r}#r(e){let{blockSkip:n,tag:r,autolink:s}=this.tokenizer.rules.inline,o="",i=0,a;for(n.lastIndex=0;a=n.exec(e);){let u=a.index+(a[2]?a[2].length:0),
h=a.index+a[0].length;if(e.charAt(u)==="<"){let d=e.slice(u),g=r.exec(d)||s.exec(d);if(!g){n.lastIndex=u+1;continue}h=u+g[0].length,n.lastIndex=h}o+=e.slice(i,u)+
"["+"a".repeat(h-u-2)+"]",i=h}return o+e.slice(i)}#n(e){let n=e;if(this.tokens.links&&e.includes("[")){let r=this.tokenizer.rules.inline.reflinkSearch,s=o=>{let i=o.
lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,bt(o.slice(i+1,-1))))return o;if(i>1&&o.charAt(0)!=="!"){let a=o.slice(1,i-1);if(this.linkInText(a))return"\
["+a.replace(r,s)+"]["+"a".repeat(o.length-i-2)+"]"}return"["+"a".repeat(o.length-2)+"]"};n=n.replace(r,s)}return n=n.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,
(r,s,o)=>o?"+".repeat(r.length):s?s+r.slice(s.length,-s.length).replace(/`/g,"+")+s:r),n=this.#r(n),n=this.options.hooks?.emStrongMask?.call({lexer:this},n)??n,
n}infiniteLoopError(e){let n="Infinite loop on byte: "+e;if(this.options.silent)console.error(n);else throw new Error(n)}},kt=class{options;parser;constructor(t){
this.options=t||Re}space(t){return""}code({text:t,lang:e,escaped:n}){let r=(e||"").match(L.notSpaceStart)?.[0],s=t?t.replace(L.endingNewline,"")+`
`:"";return r?'<pre><code class="language-'+B(r)+'">'+(n?s:B(s,!0))+`</code></pre>
`:"<pre><code>"+(n?s:B(s,!0))+`</code></pre>
`}blockquote({tokens:t}){return`<blockquote>
${this.parser.parse(t)}</blockquote>
`}html({text:t}){return t}def(t){return""}heading({tokens:t,depth:e}){return`<h${e}>${this.parser.parseInline(t)}</h${e}>
`}hr(t){return`<hr>
`}list(t){let e=t.ordered,n=t.start,r="";for(let i=0;i<t.items.length;i++){let a=t.items[i];r+=this.listitem(a)}let s=e?"ol":"ul",o=e&&n!==1?' start="'+n+'"':"";
return"<"+s+o+`>
`+r+"</"+s+`>
`}listitem(t){return`<li>${this.parser.parse(t.tokens)}</li>
`}checkbox({checked:t}){return"<input "+(t?'checked="" ':"")+'disabled="" type="checkbox"> '}paragraph({tokens:t}){return`<p>${this.parser.parseInline(t)}</p>
`}table(t){let e="",n="";for(let s=0;s<t.header.length;s++)n+=this.tablecell(t.header[s]);e+=this.tablerow({text:n});let r="";for(let s=0;s<t.rows.length;s++){let o=t.
rows[s];n="";for(let i=0;i<o.length;i++)n+=this.tablecell(o[i]);r+=this.tablerow({text:n})}return r&&(r=`<tbody>${r}</tbody>`),`<table>
<thead>
`+e+`</thead>
`+r+`</table>
`}tablerow({text:t}){return`<tr>
${t}</tr>
`}tablecell(t){let e=this.parser.parseInline(t.tokens),n=t.header?"th":"td";return(t.align?`<${n} align="${t.align}">`:`<${n}>`)+e+`</${n}>
`}strong({tokens:t}){return`<strong>${this.parser.parseInline(t)}</strong>`}em({tokens:t}){return`<em>${this.parser.parseInline(t)}</em>`}codespan({text:t}){return`\
<code>${B(t,!0)}</code>`}br(t){return"<br>"}del({tokens:t}){return`<del>${this.parser.parseInline(t)}</del>`}link({href:t,title:e,text:n,tokens:r,autolink:s}){let o=s?
B(n,!0):this.parser.parseInline(r),i=Ir(t);if(i===null)return o;t=B(i,s);let a='<a href="'+t+'"';return e&&(a+=' title="'+B(e)+'"'),a+=">"+o+"</a>",a}image({href:t,
title:e,text:n,tokens:r}){r&&(n=this.parser.parseInline(r,this.parser.textRenderer));let s=Ir(t);if(s===null)return B(n);t=s;let o=`<img src="${B(t)}" alt="${B(
n)}"`;return e&&(o+=` title="${B(e)}"`),o+=">",o}text(t){return"tokens"in t&&t.tokens?this.parser.parseInline(t.tokens):"escaped"in t&&t.escaped?t.text:B(t.text)}},
wn=class{parser;strong({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}em({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}codespan({
text:t}){return t}del({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}html({text:t}){return t}text({text:t}){return t}link({text:t,tokens:e}){return e?
this.parser.parseInline(e,this):t}image({text:t,tokens:e}){return e?this.parser.parseInline(e,this):t}br(){return`
`}checkbox({raw:t}){return t}},H=class cn{options;renderer;textRenderer;constructor(e){this.options=e||Re,this.options.renderer=this.options.renderer||new kt,this.
renderer=this.options.renderer,this.renderer.options=this.options,this.renderer.parser=this,this.textRenderer=new wn,this.textRenderer.parser=this}static parse(e,n){
return new cn(n).parse(e)}static parseInline(e,n){return new cn(n).parseInline(e)}parse(e){this.renderer.parser=this;let n="";for(let r=0;r<e.length;r++){let s=e[r];
if(this.options.extensions?.renderers?.[s.type]){let i=s,a=this.options.extensions.renderers[i.type].call({parser:this},i);if(a!==!1||!["space","hr","heading","\
code","table","blockquote","list","checkbox","html","def","paragraph","text"].includes(i.type)){n+=a===!1?"":a??"";continue}}let o=s;switch(o.type){case"space":{
n+=this.renderer.space(o);break}case"hr":{n+=this.renderer.hr(o);break}case"heading":{n+=this.renderer.heading(o);break}case"code":{n+=this.renderer.code(o);break}case"\
table":{n+=this.renderer.table(o);break}case"blockquote":{n+=this.renderer.blockquote(o);break}case"list":{n+=this.renderer.list(o);break}case"checkbox":{n+=this.
renderer.checkbox(o);break}case"html":{n+=this.renderer.html(o);break}case"def":{n+=this.renderer.def(o);break}case"paragraph":{n+=this.renderer.paragraph(o);break}case"\
text":{n+=this.renderer.text(o);break}default:{let i='Token with "'+o.type+'" type was not found.';if(this.options.silent)return console.error(i),"";throw new Error(
i)}}}return n}parseInline(e,n=this.renderer){this.renderer.parser=this;let r="";for(let s=0;s<e.length;s++){let o=e[s];if(this.options.extensions?.renderers?.[o.
type]){let a=this.options.extensions.renderers[o.type].call({parser:this},o);if(a!==!1||!["escape","html","link","image","checkbox","strong","em","codespan","br",
"del","text"].includes(o.type)){r+=a===!1?"":a??"";continue}}let i=o;switch(i.type){case"escape":{r+=n.text(i);break}case"html":{r+=n.html(i);break}case"link":{
r+=n.link(i);break}case"image":{r+=n.image(i);break}case"checkbox":{r+=n.checkbox(i);break}case"strong":{r+=n.strong(i);break}case"em":{r+=n.em(i);break}case"co\
despan":{r+=n.codespan(i);break}case"br":{r+=n.br(i);break}case"del":{r+=n.del(i);break}case"text":{r+=n.text(i);break}default:{let a='Token with "'+i.type+'" t\
ype was not found.';if(this.options.silent)return console.error(a),"";throw new Error(a)}}}return r}},Ge=class{options;block;constructor(t){this.options=t||Re}static passThroughHooks=new Set(
["preprocess","postprocess","processAllTokens","emStrongMask"]);static passThroughHooksRespectAsync=new Set(["preprocess","postprocess","processAllTokens"]);preprocess(t){
return t}postprocess(t){return t}processAllTokens(t){return t}emStrongMask(t){return t}provideLexer(t=this.block){return t?G.lex:G.lexInline}provideParser(t=this.
block){return t?H.parse:H.parseInline}};function fe(t,e){if(Array.isArray(e))for(let n=0;n<e.length;n++)t.push(e[n]);else t.push(e)}var Oi=class{defaults=pn();options=this.
setOptions;parse=this.parseMarkdown(!0);parseInline=this.parseMarkdown(!1);Parser=H;Renderer=kt;TextRenderer=wn;Lexer=G;Tokenizer=Ee;Hooks=Ge;constructor(...t){
this.use(...t)}walkTokens(t,e){let n=[];for(let r of t)switch(fe(n,e.call(this,r)),r.type){case"table":{let s=r;for(let o of s.header)fe(n,this.walkTokens(o.tokens,
e));for(let o of s.rows)for(let i of o)fe(n,this.walkTokens(i.tokens,e));break}case"list":{let s=r;fe(n,this.walkTokens(s.items,e));break}default:{let s=r;this.
defaults.extensions?.childTokens?.[s.type]?this.defaults.extensions.childTokens[s.type].forEach(o=>{let i=s[o].flat(1/0);fe(n,this.walkTokens(i,e))}):s.tokens&&
fe(n,this.walkTokens(s.tokens,e))}}return n}use(...t){let e=this.defaults.extensions||{renderers:Object.create(null),childTokens:Object.create(null)};return t.forEach(
n=>{let r={...n};if(r.async=this.defaults.async||r.async||!1,n.extensions&&(n.extensions.forEach(s=>{if(!s.name)throw new Error("extension name required");if("r\
enderer"in s){let o=e.renderers[s.name];o?e.renderers[s.name]=function(...i){let a=s.renderer.apply(this,i);return a===!1&&(a=o.apply(this,i)),a}:e.renderers[s.
name]=s.renderer}if("tokenizer"in s){if(!s.level||s.level!=="block"&&s.level!=="inline")throw new Error("extension level must be 'block' or 'inline'");let o=e[s.
level];o?o.unshift(s.tokenizer):e[s.level]=[s.tokenizer],s.start&&(s.level==="block"?e.startBlock?e.startBlock.push(s.start):e.startBlock=[s.start]:s.level==="i\
nline"&&(e.startInline?e.startInline.push(s.start):e.startInline=[s.start]))}"childTokens"in s&&s.childTokens&&(e.childTokens[s.name]=s.childTokens)}),r.extensions=
e),n.renderer){let s=this.defaults.renderer||new kt(this.defaults);for(let o in n.renderer){if(!(o in s))throw new Error(`renderer '${o}' does not exist`);if(["\
options","parser"].includes(o))continue;let i=o,a=n.renderer[i],u=s[i];s[i]=(...h)=>{let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d===!1?"":d??""}}r.renderer=
s}if(n.tokenizer){let s=this.defaults.tokenizer||new Ee(this.defaults);for(let o in n.tokenizer){if(!(o in s))throw new Error(`tokenizer '${o}' does not exist`);
if(["options","rules","lexer"].includes(o))continue;let i=o,a=n.tokenizer[i],u=s[i];s[i]=(...h)=>{let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d}}r.tokenizer=
s}if(n.hooks){let s=this.defaults.hooks||new Ge;for(let o in n.hooks){if(!(o in s))throw new Error(`hook '${o}' does not exist`);if(["options","block"].includes(
o))continue;let i=o,a=n.hooks[i],u=s[i];Ge.passThroughHooks.has(o)?s[i]=h=>{if(s.options.async&&Ge.passThroughHooksRespectAsync.has(o))return(async()=>{let g=await a.
call(s,h);return u.call(s,g)})();let d=a.call(s,h);return u.call(s,d)}:s[i]=(...h)=>{if(s.options.async)return(async()=>{let g=await a.apply(s,h);return g===!1&&
(g=await u.apply(s,h)),g})();let d=a.apply(s,h);return d===!1&&(d=u.apply(s,h)),d}}r.hooks=s}if(n.walkTokens){let s=this.defaults.walkTokens,o=n.walkTokens;r.walkTokens=
function(i){let a=[];return fe(a,o.call(this,i)),s&&fe(a,s.call(this,i)),a}}this.defaults={...this.defaults,...r}}),this}setOptions(t){return this.defaults={...this.
defaults,...t},this}lexer(t,e){return G.lex(t,e??this.defaults)}parser(t,e){return H.parse(t,e??this.defaults)}parseMarkdown(t){return(e,n)=>{let r={...n},s={...this.
defaults,...r},o=this.onError(!!s.silent,!!s.async);if(this.defaults.async===!0&&r.async===!1)return o(new Error("marked(): The async option was set to true by \
an extension. Remove async: false from the parse options object to return a Promise."));if(typeof e>"u"||e===null)return o(new Error("marked(): input parameter \
is undefined or null"));if(typeof e!="string")return o(new Error("marked(): input parameter is of type "+Object.prototype.toString.call(e)+", string expected"));
if(s.hooks&&(s.hooks.options=s,s.hooks.block=t),s.async)return(async()=>{let i=s.hooks?await s.hooks.preprocess(e):e,a=await(s.hooks?await s.hooks.provideLexer(
t):t?G.lex:G.lexInline)(i,s),u=s.hooks?await s.hooks.processAllTokens(a):a;s.walkTokens&&await Promise.all(this.walkTokens(u,s.walkTokens));let h=await(s.hooks?
await s.hooks.provideParser(t):t?H.parse:H.parseInline)(u,s);return s.hooks?await s.hooks.postprocess(h):h})().catch(o);try{s.hooks&&(e=s.hooks.preprocess(e));let i=(s.
hooks?s.hooks.provideLexer(t):t?G.lex:G.lexInline)(e,s);s.hooks&&(i=s.hooks.processAllTokens(i)),s.walkTokens&&this.walkTokens(i,s.walkTokens);let a=(s.hooks?s.
hooks.provideParser(t):t?H.parse:H.parseInline)(i,s);return s.hooks&&(a=s.hooks.postprocess(a)),a}catch(i){return o(i)}}}onError(t,e){return n=>{if(n.message+=`\

Please report this to https://github.com/markedjs/marked.`,t){let r="<p>An error occurred:</p><pre>"+B(n.message+"",!0)+"</pre>";return e?Promise.resolve(r):r}if(e)
return Promise.reject(n);throw n}}},Ce=new Oi;function R(t,e){return Ce.parse(t,e)}R.options=R.setOptions=function(t){return Ce.setOptions(t),R.defaults=Ce.defaults,
Br(R.defaults),R};R.getDefaults=pn;R.defaults=Re;function Ei(...t){return Ce.use(...t),R.defaults=Ce.defaults,Br(R.defaults),R}R.use=Ei;R.walkTokens=function(t,e){
return Ce.walkTokens(t,e)};R.parseInline=Ce.parseInline;R.Parser=H;R.parser=H.parse;R.Renderer=kt;R.TextRenderer=wn;R.Lexer=G;R.lexer=G.lex;R.Tokenizer=Ee;R.Hooks=
Ge;R.parse=R;var Nu=R.options,ju=R.setOptions,Du=R.walkTokens,Bu=R.parseInline;var zu=H.parse,Vr=G.lex;var Ci=16;function Yr(t){try{return xn(Vr(t,{gfm:!0}),Ci)}catch{return[{type:"plain",raw:t}]}}function xn(t,e){return t.map(n=>{let r=n,s=r.tokens??r.items;return s===
void 0||s.length===0?n:e===0?{type:"plain",raw:n.raw}:{...n,...r.tokens===void 0?{}:{tokens:xn(r.tokens,e-1)},...r.items===void 0?{}:{items:xn(r.items,e-1)}}})}var Ri={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",copy:"©",hellip:"…",mdash:"—",ndash:"–",rarr:"→",larr:"←",times:"×"};function es(t){return t.
replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g,(e,n,r,s)=>{if(s!==void 0)return Ri[s]??e;let o=n===void 0?parseInt(r,16):Number(n);return o>0&&
o<=1114111&&(o<55296||o>57343)?String.fromCodePoint(o):"�"})}function ts(t){try{let e=new URL(t);return(e.protocol==="https:"||e.protocol==="http:")&&e.username+e.password===""?e:void 0}catch{return}}var Pi=2e5;function Ve({text:t}){let e=Mn(t),n=j({upTo:0,text:"",nodes:[]});if(e.length>Pi)return l("pre",{class:"wrap",children:m(e)});e.startsWith(n.current.text)||
(n.current={upTo:0,text:"",nodes:[]});let r=n.current,s=Yr(e.slice(r.upTo)),o=s.length-1;for(;o>0&&s[o].type==="space";)o--;for(let i of s.slice(0,Math.max(0,o)))
r.nodes.push(l(Sn,{token:i},r.upTo)),r.upTo+=i.raw.length;return r.text=e.slice(0,r.upTo),l("div",{class:"prose",dir:"auto",children:[r.nodes,s.slice(Math.max(0,
o)).map((i,a)=>l(Sn,{token:i},`open${a}`))]})}function ns({tokens:t}){return l(P,{children:t?.map((e,n)=>l(Sn,{token:e},n))})}function Sn({token:t}){let e=t;switch(e.
type){case"space":case"def":return null;case"heading":return l("p",{class:`heading h${Math.min(3,e.depth)}`,role:"heading","aria-level":3,children:l(ee,{tokens:e.
tokens})});case"paragraph":return l("p",{children:l(ee,{tokens:e.tokens})});case"code":return l("pre",{tabIndex:0,role:"group","aria-label":"Code",children:l("c\
ode",{children:m(e.text)})});case"blockquote":return l("blockquote",{children:l(ns,{tokens:e.tokens})});case"list":return l(qi,{list:t});case"table":return l(_i,
{table:t});case"hr":return l("hr",{});case"text":return l(P,{children:e.tokens===void 0?Tn(e.text):l(ee,{tokens:e.tokens})});default:return l("p",{class:"raw",children:m(
e.raw.trimEnd())})}}function qi({list:t}){let e=t.items.map((n,r)=>l("li",{class:n.task?"task":"",children:[n.task?l("span",{class:"box",role:"img","aria-label":n.
checked?"done":"open",children:n.checked?"☑":"☐"}):null,l(ns,{tokens:(n.tokens??[]).filter(s=>s.type!=="checkbox")})]},r));return t.ordered?l("ol",{start:Number(
t.start)||1,children:e}):l("ul",{children:e})}function _i({table:t}){let e=n=>t.align[n]==="right"?"right":t.align[n]==="center"?"center":"";return l("div",{class:"\
table",tabIndex:0,role:"group","aria-label":"Table",children:l("table",{children:[l("thead",{children:l("tr",{children:t.header.map((n,r)=>l("th",{scope:"col",class:e(
r),children:l(ee,{tokens:n.tokens})},r))})}),l("tbody",{children:t.rows.map((n,r)=>l("tr",{children:n.map((s,o)=>l("td",{class:e(o),children:l(ee,{tokens:s.tokens})},
o))},r))})]})})}function ee({tokens:t}){return l(P,{children:t?.map((e,n)=>l(Ai,{token:e},n))})}function Ai({token:t}){let e=t;switch(e.type){case"strong":return l(
"strong",{children:l(ee,{tokens:e.tokens})});case"em":return l("em",{children:l(ee,{tokens:e.tokens})});case"del":return l("del",{children:l(ee,{tokens:e.tokens})});case"\
codespan":return l("code",{children:m(e.text)});case"br":return l("br",{});case"link":case"image":return l($i,{href:e.href,words:e.text,isImage:e.type==="image",
children:e.type==="link"?l(ee,{tokens:e.tokens}):Tn(e.text)});case"escape":return l(P,{children:m(e.text)});case"text":return l(P,{children:e.tokens===void 0?Tn(
e.text):l(ee,{tokens:e.tokens})});default:return l(P,{children:m(e.raw)})}}function $i({href:t,words:e,isImage:n,children:r}){let s=ts(t);if(s===void 0)return l(
"span",{class:"no-link",children:[n?"image: ":"",r," ",l("span",{class:"leads",children:["(",m(t),")"]})]});let o=e===t||e===s.href;return l(P,{children:[l("a",
{href:s.href,target:"_blank",rel:"noopener noreferrer",children:[n?"image: ":"",r]}),o?null:l("span",{class:"leads",children:[" (",m(s.host),")"]})]})}function Tn(t){
return m(es(t))}var rs=8,Ii=1e5;function wt({text:t}){let[e,n]=Cn(!1),r=t.replace(/\n+$/,""),s=je(()=>r.split(`
`),[r]),o=e?r.slice(-Ii):s.slice(-rs).join(`
`).slice(-4e3),i=je(()=>Ln(o),[o]);if(r==="")return null;let a=s.length-rs;return l("div",{class:"output",children:[a>0?l("button",{type:"button",class:"more","\
aria-expanded":e,onClick:()=>n(!e),children:e?"Show less":`${a} lines before`}):null,l("pre",{tabIndex:0,role:"group","aria-label":"Output",children:i.map((u,h)=>u.
classes===""?u.text:l("span",{class:u.classes,children:u.text},h))})]})}var Li=/^sha256:([0-9a-f]{64});(image\/(?:png|jpeg|gif|webp))$/;function xt({session:t,images:e}){return l("p",{class:"sent",children:e.map((n,r)=>l(Mi,{session:t,
image:n,number:r+1},r))})}function Mi({session:t,image:e,number:n}){let r=$n(),s=J(""),o=J(""),i=J(!1);ce(()=>()=>{s.peek()!==""&&URL.revokeObjectURL(s.peek())},
[]);let a=async()=>{let[,u,h]=Li.exec(e)??[];if(u===void 0){o.value="The log names an image in a way that this page does not know.";return}i.value=!0,o.value="";
try{let d=await(await r.client.session(t).image(u)).arrayBuffer();s.value=URL.createObjectURL(new Blob([d],{type:h}))}catch(d){o.value=Rn(d)}i.value=!1};return s.
value!==""?l("img",{class:"picture",src:s.value,alt:`Image ${n} of this prompt`}):l(P,{children:[l("button",{type:"button",class:"small",disabled:i.value,onClick:()=>{
a()},children:i.value?"Fetching…":`Show image ${n}`}),o.value===""?null:l("span",{class:"error",role:"alert",children:o.value})]})}var ss={pending:["·","is being written"],awaiting_approval:["!","waits for an approval"],running:["◐","runs"],completed:["✓","done"],error:["✕","failed"]};
function os({data:t}){let[e,n]=ss[t.status]??["·",t.status],r=t.command??is(t.arguments),s=r!==void 0&&!r.includes(`
`)&&r.length<=120,o=t.diff===void 0&&t.arguments!==void 0?nt(t.arguments):void 0,i=[t.exitCode!==void 0&&t.exitCode!==0?`exit ${t.exitCode}`:"",t.durationMs===void 0?
"":et(t.durationMs)].filter(a=>a!=="");return l(P,{children:[l("p",{class:`call call-${ss[t.status]===void 0?"pending":t.status}`,children:[l("span",{class:"cal\
l-sign",role:"img","aria-label":n,children:e}),l("span",{class:"call-name",children:m(t.toolName)}),s?l("code",{class:"call-subject",children:m(r)}):null,i.length===
0?null:l("span",{class:"call-facts",children:i.join(" · ")})]}),t.status==="awaiting_approval"?null:l(Ni,{data:t,long:s?void 0:r,edits:o})]})}function Ni({data:t,
long:e,edits:n}){return l(P,{children:[e===void 0?null:l("pre",{class:"command",tabIndex:0,role:"group","aria-label":"Command",children:m(e)}),t.diff!==void 0?l(
Pe,{text:t.diff,fold:40}):n!==void 0?l(Pe,{lines:n,fold:40,label:"What is to be replaced"}):null,t.output===void 0?null:l(wt,{text:t.output}),t.command===void 0&&
is(t.arguments)===void 0&&n===void 0&&t.arguments?l("details",{class:"arguments",children:[l("summary",{children:"Arguments"}),l("pre",{class:"wrap",children:m(
t.arguments)})]}):null]})}function is(t){if(!(t===void 0||t.length>1e5))try{let e=JSON.parse(t),n=["path","file_path","pattern","query","url","command"].map(r=>e[r]).
find(r=>typeof r=="string");return typeof n=="string"?n:void 0}catch{return}}function as({session:t,id:e}){let n=t.entry(e);if(n===void 0)return null;let r=_n.value,s=r.view==="session"&&r.entry===e&&r.id===t.id;return l("article",{class:`\
entry entry-${ji.has(n.entryType)?n.entryType:"unknown"}${n.open?" open":""}${s?" target":""}`,"aria-label":Di(n),id:`e-${e}`,tabIndex:-1,children:[l("a",{class:"\
anchor",href:An({view:"session",id:t.id,entry:e}),"data-place":!0,"aria-label":"Link to this entry",title:"Link to this entry",children:"#"}),l(Bi,{entry:n,session:t.
id}),n.open===!0?l(Pr,{beyond:t.beyond(e)}):null,"truncated"in n.data&&n.data.truncated===!0?l(Rr,{session:t.id,entry:e,isOpen:n.open===!0,bytes:n.data.bytes}):
null,n.incomplete?l("p",{class:"note",children:["Cut off",n.reason===void 0?"":`: ${m(n.reason)}`,"."]}):null]})}var ji=new Set(["user_message","assistant_messa\
ge","thinking","tool_call","tool_result","plan","compaction","system"]);function Di(t){let e={user_message:"You",assistant_message:"Agent",thinking:"Thinking",tool_result:"\
Result",plan:"Plan",compaction:"Compaction",system:"Notice"};return t.entryType==="tool_call"?`Tool ${m(t.data.toolName)}, ${t.data.status}`:e[t.entryType]??"En\
try"}function Bi({entry:t,session:e}){switch(t.entryType){case"user_message":return l(zi,{data:t.data,session:e});case"assistant_message":return t.data.text===""&&
t.open?l("p",{class:"note",children:"…"}):l(Ve,{text:t.data.text});case"thinking":return l(Fi,{data:t.data,isOpen:t.open===!0});case"tool_call":return l(os,{data:t.
data});case"tool_result":return l(Ji,{data:t.data});case"plan":return l(Wi,{data:t.data});case"compaction":return l(Ki,{data:t.data});case"system":return l(Xi,{
data:t.data});default:return l(Ye,{summary:`An entry of the kind “${m(String(t.entryType))}”, which this page does not know`,children:l("pre",{class:"wrap",
children:m(JSON.stringify(t.data,null,2))})})}}function zi({data:t,session:e}){return l(P,{children:[l(vn,{text:t.text}),t.images===void 0||t.images.length===0?
null:l(xt,{session:e,images:t.images})]})}function vn({text:t}){let e=t.split(`
`);if(e.length<=14&&t.length<=2e3)return l("p",{class:"typed",dir:"auto",children:m(t)});let n=e.slice(0,8).join(`
`).slice(0,1200);return l(Ye,{summary:l("span",{class:"typed",dir:"auto",children:[m(n),"…"]}),children:l("p",{class:"typed",dir:"auto",children:m(t)})})}function Ye({
summary:t,children:e,isOpen:n}){return l("details",{open:n,children:[l("summary",{children:t}),e]})}function Fi({data:t,isOpen:e}){let n=t.text||(t.summary??[]).
join(`

`),r=n.trim().split(`
`).at(e?-1:0)??"";return l(Ye,{summary:l(P,{children:[l("span",{class:"kind",children:e?"Thinking":"Thought"})," ",l("span",{class:"glimpse",dir:"auto",children:m(
r.slice(0,160))})]}),children:l(Ve,{text:n})})}function Ji({data:t}){return l(P,{children:[t.isError?l("p",{class:"error",children:"The call failed."}):null,l(wt,
{text:t.output})]})}var Ui={completed:"✓",in_progress:"▸",pending:"○"};function Wi({data:t}){return l(P,{children:[l("p",{class:"kind",children:"Plan"}),t.
text?l(Ve,{text:t.text}):null,t.steps===void 0?null:l("ul",{class:"plan",children:t.steps.map((e,n)=>l("li",{class:e.status==="completed"?"done":e.status==="in_\
progress"?"now":"",children:[l("span",{class:"box",role:"img","aria-label":m(e.status??"step"),children:Ui[e.status??""]??"·"}),l("span",{dir:"auto",children:m(
e.text)})]},n))})]})}function Ki({data:t}){let e=t.tokensBefore===void 0?"":` ${tt(t.tokensBefore)} tokens`;return l(Ye,{summary:l(P,{children:[l("span",{class:"\
kind",children:"Compacted"}),e," of the conversation into a summary"]}),children:l(Ve,{text:t.summary})})}function Xi({data:t}){let e=m(t.text);return t.native!==
void 0?l(Ye,{summary:e||`Event of the agent: ${m(t.kind??"unknown")}`,children:l("pre",{class:"wrap",children:m(JSON.stringify(t.native,null,2))})}):l("p",{class:t.
level==="error"?"error":t.level==="warning"?"warning":"note",dir:"auto",children:e||m(t.kind??"")})}function ls({item:t,session:e}){switch(t.kind){case"entry":return l(as,{session:e,id:t.id});case"prompt":return l("article",{class:"entry entry-user_message","a\
ria-label":"You",children:[l(vn,{text:t.turn.prompt?.text??""}),t.turn.prompt?.images?.length?l(xt,{session:e.id,images:t.turn.prompt.images}):null]});case"end":
return l(Gi,{turn:t.turn});case"answer":return l(Qi,{request:t.request});case"unread":return l("p",{class:"mark unread",children:l("span",{children:"New since y\
ou were here"})});case"child":{let{child:n}=t,r=n.ended??n.turnStatus;return l("p",{class:"mark",children:["Session below: ",l("a",{href:`/s/${n.childSessionId}`,
"data-place":!0,dir:"auto",children:m(n.title??n.childSessionId.slice(0,8))}),r===void 0?"":` · ${m(r)}`]})}}}function Gi({turn:t}){let e=[t.endTs===void 0?"":
et(t.endTs-t.startTs),t.usage===void 0?"":`${tt(t.usage.totalTokens)} tokens`].filter(n=>n!=="").join(" · ");return t.status==="completed"?l("p",{class:"mark t\
urn-end",children:l("span",{children:e})}):t.status==="interrupted"?l("p",{class:"mark turn-end",children:l("span",{children:["Interrupted ",qn[t.cause??""]??"",
" · ",e]})}):l("div",{class:"failure",role:"group","aria-label":"The turn failed",children:[l("p",{children:[l("strong",{children:"The turn failed."})," ",t.error===
void 0?null:l("span",{dir:"auto",children:m(t.error)})]}),t.hint===void 0?null:l("p",{dir:"auto",children:m(t.hint)}),l("p",{class:"note",children:e})]})}var Hi={
allowed:"Allowed",denied:"Denied",answered:"Answered",failed:"Failed",cancelled:"Withdrawn",expired:"Expired without an answer"};function Qi({request:t}){let{outcome:e,
option:n,by:r,message:s,answers:o,rule:i,mode:a}=t.resolved,u=r!=="policy"?"":i!==void 0?`, its rule ${i}`:a!==void 0?`, which is ${a}`:"",h=t.kind==="approval"?
[t.toolName,t.subject].filter(Boolean).join(" "):t.title,d=[n==="allow_always"?"for always":n==="deny_stop"?"and the turn stopped":"",o?.flat().join(", ")??""].
filter(g=>g!=="").join(" ");return l("p",{class:`mark answered answered-${e==="allowed"||e==="answered"?"yes":"no"}`,children:[l("span",{dir:"auto",children:[Hi[e]??
m(e)," ",m(d)," · ",m(h)]})," ",l("span",{class:"by",children:["by ",m(r.replace(/^client:/,"")+u)]}),s?l("span",{class:"by",dir:"auto",children:[" “",m(s),"\
”"]}):null]})}var Vi=200,Yi=150,ea=48,ta=1;function Jc({session:t,tail:e,isAtEnd:n,target:r,seen:s}){let o=j(null),i=j(new Map),a=j(!0),u=j(0),h=J({top:0,view:800,isAtEnd:!0}),
d=J(void 0);ce(()=>{let w=setTimeout(()=>{d.value=t},Yi);return()=>clearTimeout(w)},[t]);let g=J(0),f=t.entries.value,b=t.head.value,y=je(()=>Or(t.fold.state,s),
[t,f,b,s]),C=w=>i.current.get(y[w].id)??72,{top:S,view:O,isAtEnd:N}=h.value,E=N?Cr(y.length,C,O,d.value===t?O+400:Vi):Er(y.length,C,S,O),te=j(y.length);ce(()=>{
!a.current&&y.length>te.current&&(g.value+=y.length-te.current),te.current=y.length},[y]);let z=j(null),ne=j(new WeakSet),Q=j(!1),U=j(!1),le=w=>{a.current&&(w.scrollTop=
w.scrollHeight,u.current=w.scrollTop)};St(()=>{let w=o.current;return z.current=new ResizeObserver(F=>{for(let{target:$}of F){let W=$.dataset.item;W!==void 0&&$.
offsetHeight>0&&i.current.set(W,$.offsetHeight)}Q.current&&Ne(),le(w)}),ne.current=new WeakSet,z.current.observe(w),z.current.observe(w.lastElementChild),()=>z.
current?.disconnect()},[t]),St(()=>{let w=o.current;for(let F of w.querySelectorAll("[data-item]"))ne.current.has(F)||(ne.current.add(F),z.current?.observe(F));
U.current&&(U.current=!1,le(w))});let ge=j(void 0);ce(()=>{let w=r===void 0?-1:y.findIndex(W=>W.id===r);if(w<0||ge.current===r)return;ge.current=r,a.current=!1;
let F=o.current,$=0;for(let W=0;W<w;W++)$+=C(W);F.scrollTop=Math.max(0,$-F.clientHeight/3),h.value={...h.peek(),top:$,isAtEnd:!1},n.value=!1,us(F,r,6)},[y,r]);let Me=()=>{
Q.current||(Q.current=!0,requestAnimationFrame(()=>setTimeout(()=>{Q.current&&Ne()})))},Ne=()=>{Q.current=!1;let w=o.current;if(w===null)return;let $=w.scrollHeight-
w.scrollTop-w.clientHeight<ea||a.current&&w.scrollTop>=u.current-ta;a.current=$;let W=h.peek(),On=w.clientHeight;(!$||!W.isAtEnd||W.view!==On)&&(h.value={top:w.
scrollTop-w.firstElementChild.offsetTop,view:On,isAtEnd:$}),n.value=$,$&&(g.value=0)},ue=()=>{a.current=!0,U.current=!0,g.value=0,h.value={...h.peek(),isAtEnd:!0},
n.value=!0};return l("div",{class:"transcript",children:[l("div",{class:`log${N?" at-end":""}`,ref:o,role:"log","aria-live":"off","aria-label":"Transcript",tabIndex:0,
onScroll:Me,children:l("div",{class:"rows",children:[l("div",{style:{height:`${E.above}px`}}),y.slice(E.from,E.to).map(w=>l(na,{item:w,session:t},w.id)),l("div",
{style:{height:`${E.below}px`}}),e]})}),N?null:l("button",{type:"button",class:"to-end",onClick:ue,children:g.value>0?`${Pn(g.value,"new row")} ↓`:"To the end\
 ↓"})]})}function na({item:t,session:e}){return l("div",{"data-item":t.id,children:l(ft,{children:l(ls,{item:t,session:e})})})}function us(t,e,n){let r=t.querySelector(
`[data-item="${CSS.escape(e)}"]`);r?.scrollIntoView({block:r.offsetHeight>t.clientHeight?"start":"center"}),n>0?requestAnimationFrame(()=>us(t,e,n-1)):document.
activeElement?.closest("input, textarea")==null&&r?.querySelector(".entry")?.focus({preventScroll:!0})}export{v as a,se as b,rt as c,Kt as d,Xs as e,Se as f,Z as g,I as h,an as i,hr as j,fr as k,cu as l,pu as m,gu as n,wu as o,vr as p,Jc as q};
