/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as L}from"./part-HOSYZYDA.js";import{c as S}from"./part-S5T474SM.js";import{a as T,g as $,k as E}from"./part-LMNZKLVE.js";import{a as k,
f as b,h as w,o as u,p as R,r as e}from"./part-WMXWHT22.js";function A(l){let i=[];for(let r of l.replace(/\n$/,"").split(`
`)){if(r.length<=1e3){i.push(r);continue}for(let a=0;a<r.length;){let n=Math.min(r.length,a+1e3);n<r.length&&/[\ud800-\udbff]/.test(r.charAt(n-1))&&n--,i.push(r.
slice(a,n)),a=n}}return i}function C(l,i,r){let a=i.toLowerCase(),n=[];for(let s=0;a!==""&&s<l.length&&n.length<r;s++)l[s].toLowerCase().includes(a)&&n.push(s);
return n}var v=20,F=8e6;function B({count:l,row:i,label:r,to:a}){let n=w(null),s=u(0),c=Math.min(l,Math.floor(F/v));b(()=>{a!==void 0&&n.current?.scrollTo(0,Math.max(0,a*
v-n.current.clientHeight/2))},[a]);let f=Math.max(0,Math.floor(s.value/v)-40),p=Math.min(c,f+160);return e("div",{class:"fixed-rows",ref:n,tabIndex:0,role:"regi\
on","aria-label":r,onScroll:h=>{s.value=h.currentTarget.scrollTop},children:[e("div",{style:{height:`${f*v}px`}}),Array.from({length:Math.max(0,p-f)},(h,d)=>i(f+
d)),e("div",{style:{height:`${(c-p)*v}px`}})]})}var O=1e4;function Y({session:l,entry:i,close:r}){let a=S(),n=w(null),s=u([]),c=u(void 0),f=u(0),p=u(""),h=u(""),d=u(0);b(()=>{n.current?.showModal();let t=new AbortController;
return(async()=>{try{let o=await a.client.session(l).entryText(i,{signal:t.signal}),g=[];for(let X=o.body.getReader();;){let{done:D,value:M}=await X.read();if(D)
break;g.push(M),f.value+=M.length}let x=new Blob(g,{type:"text/plain;charset=utf-8"});s.value=A(await x.text()),c.value=x}catch(o){t.signal.aborted||(p.value=T(
o))}})(),()=>t.abort()},[l,i]);let m=R(()=>C(s.value,h.value,O)),_=t=>{let o=m.value.length;d.value=o===0?0:(d.peek()+t+o)%o},J=()=>{let t=URL.createObjectURL(c.
peek()),o=document.createElement("a");o.href=t,o.download=`${i.replace(/[^\w.-]/g,"_")}.txt`,o.click(),setTimeout(()=>URL.revokeObjectURL(t),1e4)},y=m.value[d.value];
return e("dialog",{ref:n,class:"whole","aria-labelledby":"whole-title",onClose:r,children:[e("header",{children:[e("h2",{id:"whole-title",children:"The whole te\
xt"}),c.value===void 0?null:e("span",{class:"note",children:[$(s.value.length,"line"),", ",U(c.value.size)]}),e("form",{method:"dialog",children:e("button",{class:"\
quiet","aria-label":"Close",children:"✕"})})]}),p.value!==""?e("p",{class:"error",role:"alert",children:E(p.value)}):c.value===void 0?e("p",{class:"empty",role:"\
status",children:["Reading… ",f.value>0?U(f.value):""]}):e(k,{children:[e("div",{class:"whole-bar",children:[e("input",{type:"search","aria-label":"Find in th\
is text",placeholder:"Find",value:h.value,autocomplete:"off",spellcheck:!1,onInput:t=>{h.value=t.currentTarget.value,d.value=0},onKeyDown:t=>{t.key==="Enter"&&(t.
preventDefault(),_(t.shiftKey?-1:1))}}),e("span",{class:"note",role:"status",children:h.value===""?"":m.value.length===0?"not there":`${d.value+1} of ${m.value.
length}${m.value.length===O?" or more":""}`}),e("button",{type:"button",class:"small",onClick:J,children:"Save as a file"})]}),e(B,{count:s.value.length,label:"\
Text",to:y,row:t=>e("div",{class:`text-row${t===y?" hit":""}`,children:[e("span",{class:"d-number","aria-hidden":"true",children:t+1}),e("span",{children:L(s.value[t]).
map((o,g)=>o.classes===""?o.text:e("span",{class:o.classes,children:o.text},g))})]},t)})]})]})}function U(l){return l<1<<20?`${Math.ceil(l/1024)} KiB`:`${(l/(1<<
20)).toFixed(1)} MiB`}export{Y as Whole};
