/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
var l,Fe,ge,$,de,_e,We,ne,qe,be,ye,Re,z=Symbol.for("pv"),oe={},re=[],dt=/^m(i|n|o|s|text|space)$/,ke=Array.isArray,we=re.slice,F=Object.assign;function D(t){t&&
t.parentNode&&t.remove()}function Le(t,e,n){var i,o,_,r={},f=arguments.length;for(_ in e)_=="key"?i=e[_]:_=="ref"&&typeof t!="function"?o=e[_]:r[_]=e[_];return f>
2&&(r.children=f>3?we.call(arguments,2):n),B(t,r,i,o,null)}function B(t,e,n,i,o){var _={type:t,props:e,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:z,__v:o||++Fe,__i:-1,__u:0};return!o&&l.vnode&&l.vnode(
_),_}function j(t){return t.children}function q(t,e){this.props=t,this.context=e,this.__g=0}function U(t,e){if(e==null)return t.__&&U(t.__,t.__i+1);for(var n;e<t.__k.
length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:U(t)}function yt(t){var e,n=t.__v,i=n.__e,o=[],_=[],r=t.__P;r&&
((e=F({constructor:z},n)).__v=n.__v+1,l.vnode&&l.vnode(e),xe(r,e,n,t.__n,r.namespaceURI,32&n.__u?[i]:null,o,i||U(n),32&n.__u,_),e.__v=n.__v,e.__.__k[e.__i]=e,Ze(
o,e,_),n.__=n.__e=null,e.__e!=i&&Ve(e))}function Ve(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),Ve(t)}
function me(t){(8&t.__g||(t.__g|=8,$.push(t),_e++))&&de==l.debounceRendering||((de=l.debounceRendering)||queueMicrotask)(Ie)}function Ie(){try{for(var t,e=1;$.length;)
$.length>e&&$.sort(We),t=$.shift(),e=$.length,8&t.__g&&yt(t)}finally{(_e=$.length)&&(de||queueMicrotask)(Ie)}}function Be(t,e,n,i,o,_,r,f,a,c,s){var y,v,u,p,S,d,
g=i.__k||re,h=e.length;for(a=mt(n,e,g,a,h),y=0;y<h;y++)(u=n.__k[y])!=null&&(v=~u.__i&&g[u.__i]||oe,u.__i=y,d=xe(t,u,v,o,_,r,f,a,c,s),p=u.__e,(v.ref!=u.ref||8&v.
__u)&&(v.ref&&Se(v.ref,null,u,v),u.ref&&s.push(u.ref,u.__c||p,u)),S=S||p,4&u.__u?(a=ze(u,a,t,!v.__v),v.__e&&(v.__e=null)):typeof u.type=="function"&&d!==void 0?
a=d:p&&(a=p.nextSibling),u.__u&=-21);return n.__e=S,a}function mt(t,e,n,i,o){var _,r,f,a,c,s,y,v,u,p=n.length,S=p,d=0,g=0,h=t.__k=Array(o);for(_=0;_<o;_++)(r=e[_])!=
null&&typeof r!="boolean"&&typeof r!="function"?(typeof r!="object"||r.constructor===String?r=h[_]=B(null,r):ke(r)?r=h[_]=B(j,{children:r}):r.constructor===z&&r.
__b?r=h[_]=B(r.type,r.props,r.key,r.ref,r.__v):h[_]=r,a=_+d,r.__=t,r.__b=t.__b+1,f=null,~(c=r.__i=gt(r,n,a,S))&&(S--,(f=n[c])&&(f.__u|=2)),f&&f.__v?(r.__u|=16,c==
a-1?d--:c==a+1?d++:c!=a&&(c>a?d--:d++,g=1)):(~c||(o>p?d--:o<p&&d++),typeof r.type!="function"&&(r.__u|=4))):h[_]=null;if(g){for(s=[],y=[],_=0;_<o;_++)if((r=h[_])&&
16&r.__u){for(d=0,v=s.length;d<v;)s[u=d+v>>1]<r.__i?d=u+1:v=u;s[d]=r.__i,y[_]=d+1}for(d=s.length;_--;)y[_]&&(y[_]==d?d--:h[_].__u|=4)}if(S)for(_=0;_<p;_++)!(f=n[_])||
2&f.__u||(f.__e==i&&(i=U(f)),Ce(f,f));return i}function ze(t,e,n,i){var o,_,r,f;if(typeof t.type=="function"){if(t.props.__P)return e;if(o=t.__k)for(_=0;_<o.length;_++)
o[_]&&(o[_].__=t,e=ze(o[_],e,n,!1));return e}for(e&&!e.parentNode&&(e=U(t))&&!e.parentNode&&(e=null),r=t.__e,f=e;f&&f.nodeType==8;)f=f.nextSibling;for(r!=f&&(!i&&
n.moveBefore&&r.parentNode?n.moveBefore(r,e):n.insertBefore(r,e||null)),e=r;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function gt(t,e,n,i){var o,_=t.key,r=t.type,f=e[n],a=f&&!(2&f.__u);if(f===null&&_==null||a&&_==f.key&&r==f.type)return n;if(i>(a?1:0)){for(o=n-1;o>=0;o--)if((f=
e[o])&&!(2&f.__u)&&_==f.key&&r==f.type)return o;for(o=n+1;o<e.length;o++)if((f=e[o])&&!(2&f.__u)&&_==f.key&&r==f.type)return o}return-1}function De(t,e,n){n==null&&
(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function te(t,e,n,i,o){var _,r;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof i=="string"&&(t.style.
cssText=i=""),i)for(e in i)n&&e in n||De(t.style,e);if(n)for(e in n)i&&n[e]==i[e]||De(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),
typeof i!="function"&&(i=null),(t.__e||(t.__e={}))[e]=n,n&&i||(r=ye[e]||(ye[e]=bt(e)),(t.__a||(t.__a={}))[e]=be,_=e!=(e=e.replace(qe,"$1")),(e=e.slice(2))[0]<"a"&&
(e=e.toLowerCase()),n?t.addEventListener(e,r,_):t.removeEventListener(e,r,_));else{if(o=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)
try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function bt(t){
return function(e){var n=this.__e;if(n){if(n=n[t],e[ne]==null)e[ne]=be++;else if(e[ne]<this.__a[t])return;return n(l.event?l.event(e):e)}}}function xe(t,e,n,i,o,_,r,f,a,c){
var s,y,v,u,p,S,d,g,h,C,k,ve,Oe,ee,O,He,N,H,T=e.type;if(e.constructor!==z)return null;128&n.__u&&(a=32&n.__u,s=n.__c.__z)&&(e.__u|=a,y=_=[],s.nodeType==8?f=ie(s,
_):_.push(s),f=_[0]||f),(s=l.__b)&&s(e);e:if(typeof T=="function"){v=r.length;try{if(g=e.props,h=(s=T.prototype)&&s.render,C=(s=T.contextType)&&i[s.__c],k=s?C?C.
props.value:s.__:i,(u=n.__c)?(e.__c=u,2&u.__g&&(u.__g|=1)):(h?e.__c=u=new T(g,k):(e.__c=u=new q(g,k),u.constructor=T,u.render=wt),C&&C.sub(u),u.state||(u.state=
{}),u.__n=i,u.__g|=8,u.__h=[],u.__k=[]),h&&(u.__s||(u.__s=u.state),T.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=F({},u.__s)),F(u.__s,T.getDerivedStateFromProps(
g,u.__s)))),p=u.props,S=u.state,u.__v=e,n.__c){if(g!==p&&h&&!T.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(g,k),e.__v==n.
__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(g,u.__s,k)===!1){e.__v!=n.__v&&(u.props=g,u.state=u.__s,u.__g&=-9),e.__e=n.__e,e.__k=
n.__k,e.__k.some(function(P){P&&(P.__=e)}),re.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&r.push(u),f=U(n);break e}u.componentWillUpdate&&u.componentWillUpdate(
g,u.__s,k),h&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(p,S,d)})}else h&&!T.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),
h&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=k,u.props=g,u.__P=t,u.__g&=-5,ve=l.__r,Oe=h?25:0;do u.__g&=-9,ve&&ve(e),s=u.render(u.props,u.state=
u.__s,u.context);while(8&u.__g&&++Oe<25);h&&(re.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(i=F({},i,u.getChildContext())),h&&n.__c&&u.getSnapshotBeforeUpdate&&
(d=u.getSnapshotBeforeUpdate(p,S)),ee=s&&s.type===j&&s.key==null?s.props.children:s,g.__P&&(s=f,o=(t=g.__P).namespaceURI,a=_=null,n.props&&n.props.__P!=t&&(n.__k.
some(function(P){P&&Ce(P,P)}),n.__k=null),f=n.__k?U(n,0):null),f=Be(t,ke(ee)?ee:[ee],e,n,i,o,_,r,f,a,c),g.__P&&(e.__e=null,f=s),e.__u&=-161,y&&y.some(D),u.__h.length&&
r.push(u),1&u.__g&&(u.__g&=-4)}catch(P){if(r.length=v,e.__v=null,a||_)if(P&&P.then){if(e.__u|=128|a,_){for(~(N=_.indexOf(f||void 0))||(N=_.length);(H=_[N-1])&&H.
nodeType==8;)N--;for(;N<_.length;N++)if(H=_[N])if(_[N]=null,O){if(H==He)break}else{if(H.nodeType!=8)break;H.data.startsWith("$s")&&(He=ie(O=H))}}if(!O){for(;f&&
f.nodeType==8&&f.nextSibling;)f=f.nextSibling;O=f}(s=ie(O=e.__c.__z||(e.__c.__z=O)))?(e.__e=O,f=s):e.__e=f,f=f&&f.nextSibling}else _&&_.some(D);else e.__e=n.__e;
e.__k||(e.__k=n.__k||[]),P&&P.then||Ge(e),l.__e(P,e,n)}}else f=e.__e=kt(n.__e,e,n,i,o,_,r,a,c,t);return(s=l.diffed)&&s(e),f}function ie(t,e){if(t&&t.nodeType==8&&
t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(
t)}}function Ge(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(Ge))}function Ze(t,e,n){for(var i=0;i<n.length;)Se(n[i++],n[i++],n[i++]);l.__c&&l.__c(e,t),t.some(
function(o){try{t=o.__h,o.__h=[],t.some(function(_){_.call(o)})}catch(_){l.__e(_,o.__v)}})}function kt(t,e,n,i,o,_,r,f,a,c){var s,y,v,u,p,S,d,g,h=n.props||oe,C=e.
props,k=e.type;if(k=="svg"?o="http://www.w3.org/2000/svg":k=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),_){for(s=0;s<_.
length;s++)if((p=_[s])&&(k?p.localName==k:p.nodeType==3)){t=p,_[s]=null;break}}if(!t){if(g=c.ownerDocument||document,!k)return g.createTextNode(C);t=g.createElementNS(
o,k,C.is?C:c),f&&(l.__m&&l.__m(e,_),f=!1),_=null}if(k){if(c=k=="template"&&t.content||t,_=k=="textarea"&&C.defaultValue!=null?null:_&&we.call(c.childNodes),!f&&
_)for(h={},s=0;s<t.attributes.length;s++)h[(p=t.attributes[s]).name]=p.value;for(s in h)p=h[s],s=="dangerouslySetInnerHTML"?v=p:s=="children"||s in C||s=="value"&&
"defaultValue"in C||s=="checked"&&"defaultChecked"in C||te(t,s,null,p,o);for(s in C)p=C[s],s=="children"?u=p:s=="dangerouslySetInnerHTML"?y=p:s=="value"?S=p:s==
"checked"?d=p:f&&typeof p!="function"||h[s]===p||te(t,s,p,h[s],o);y?(f||v&&(y.__html==v.__html||y.__html==t.innerHTML)||(t.innerHTML=y.__html),e.__k=[]):(v&&(t.
textContent=""),(k=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&dt.test(k))&&(o="http://www.w3.org/1999/xhtml"),Be(c,ke(u)?u:[u],e,n,i,o,_,r,_?_[0]:
n.__k&&U(n,0),f,a),_&&_.some(D)),f&&k!="textarea"||(s="value",k=="progress"&&S==null?t.removeAttribute(s):S==null||S===t[s]&&(k!="progress"||S)||te(t,s,S,h[s],o),
s="checked",d!=null&&d!=t[s]&&te(t,s,d,h[s],o))}else h===C||f&&t.data==C||(t.data=C);return t}function Se(t,e,n,i){try{typeof t=="function"?e?e.__x=t(e)||1:i&&(i=
i.__c||i.__e)&&(e=i.__x)&&(i.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(o){l.__e(o,n)}}function Ce(t,e,n){var i,o,_,r;if(l.unmount&&l.unmount(
t),!(i=t.ref)||i.current&&i.current!=t.__e||Se(i,null,e,t),i=t.__c){if(i.componentWillUnmount)try{i.componentWillUnmount()}catch(f){l.__e(f,e)}i.__P=i.__n=null}
if(i=t.__k)for(r=0;r<i.length;r++)i[r]&&Ce(i[r],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(i=t.__c)&&(i=i.__z)&&(o=ie(i,_=[]))&&(i==t.__e&&_.some(D),D(o),
D(i)),n||D(t.__e),t.__e=t.__c=t.__=null}function wt(t,e,n){return this.constructor(t,n)}function Wt(t,e){var n,i,o,_;l.__&&l.__(t,e),e.nodeType==9&&(e=e.documentElement),
i=(n=t&&32&t.__u)?null:e.__k,e.__k=B(j,{children:[t]}),o=[],_=[],xe(e,e.__k,i||oe,oe,e.namespaceURI,i?null:e.firstChild?we.call(e.childNodes):null,o,i?i.__e:e.firstChild,
n,_),Ze(o,e.__k,_),e.__k.props.children=null}function qt(t){function e(n){var i,o;return this.getChildContext||(i=new Set,(o={})[e.__c]=this,this.getChildContext=function(){return o},this.shouldComponentUpdate=
function(_){this.props.value!=_.value&&i.forEach(function(r){r.__g|=4,me(r)})},this.sub=function(_){i.add(_);var r=_.componentWillUnmount;_.componentWillUnmount=
function(){i.delete(_),r&&r.call(_)}}),n.children}return e.__c="__cC"+Re++,e.__=t,e.Provider=(e.Consumer=function(n,i){return n.children(i)}).contextType=e,e}l={__e:function(t,e,n,i){for(var o,_,r;e=e.__;)if((o=e.__c)&&!(1&o.__g)){o.__g|=4;try{if((r=(_=o.constructor)&&_.getDerivedStateFromError)&&o.setState(_.getDerivedStateFromError(
t)),o.componentDidCatch&&(o.componentDidCatch(t,i||{}),r=1),r&&8&o.__g)return void(o.__g|=2)}catch(f){t=f}}throw _e=0,t}},Fe=0,ge=function(t){return t!=null&&t.
constructor===z},q.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof t=="function"&&(t=t(F({},n),this.props)),
t&&(F(n,t),this.__v&&(e&&this.__k.push(e),me(this)))},q.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),me(this))},q.prototype.render=
j,$=[],_e=0,We=function(t,e){return t.__v.__b-e.__v.__b},ne=Symbol(),qe=/(PointerCapture)$|Capture$/i,be=0,ye={},Re=0;var E,b,Pe,Je,Te=Object.is,ue=0,_t=[],je=[],w=l,Ke=w.__b,Qe=w.__r,Xe=w.diffed,Ye=w.__c,et=w.unmount,tt=w.__;function R(t,e){w.__h&&w.__h(b,t,ue||e),ue=0;var n=b.
__H||(b.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function Vt(t){return ue=1,xt(rt,t)}function xt(t,e,n){var i=R(E++,2);if(i.t=t,!i.__c&&
(i.__=[n?n(e):rt(void 0,e),function(_){var r=(i.__N||i.__)[0],f=i.t(r,_);Te(r,f)||(i.__N=[f,i.__[1]],i.__c.setState({}))}],i.__c=b,!b.__f)){b.__f=!0;var o=b.shouldComponentUpdate;
b.shouldComponentUpdate=function(_,r,f){var a=this.__H;if(!a)return!0;var c=!1,s=this.props!=_;if(a.__.some(function(v){v.__N&&(c=!0,Te(v.__[0],v.__N[0])||(s=!0))}),
o){var y=o.call(this,_,r,f);return c?y||s:y}return!c||s}}return i.__}function ot(t,e){var n=R(E++,3);!w.__s&&$e(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,b.__H.__h.push(
n))}function It(t,e){var n=R(E++,4);!w.__s&&$e(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,b.__h.push(n))}function Ne(t){return ue=5,Z(function(){return{current:t}},[])}function Z(t,e){var n=R(E++,7);return $e(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function Bt(t){var e=b.context[t.__c],n=R(E++,9);return n.c=t,e?(n.__==null&&(n.__=!0,e.sub(b)),e.props.value):t.__}function zt(){var t=R(E++,11);if(!t.__){for(var e=b.__v;!e.__m&&e.__;)e=e.__;var n=e.__m||(e.__m=[0,0]);t.__="P"+n[0]+"-"+n[1]++}return t.__}function St(){var t;
do{for(;t=je.shift();)try{G(t)}catch(n){w.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=_t.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(G),e.__h.some(Ae),e.__h=[]}catch(n){
e.__h=[],w.__e(n,t.__v)}}}while(je.length)}w.__b=function(t){b=null,Ke&&Ke(t)},w.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),tt&&tt(t,e)},w.__r=function(t){
Qe&&Qe(t),E=0;var e=(b=t.__c).__H;e&&(Pe==b?b.__h=[]:(e.__h.some(G),e.__h.some(Ae),E=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Pe=
b},w.diffed=function(t){Xe&&Xe(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&it(_t.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Pe=b=null},w.__c=function(t,e){
e.some(function(n){try{n.__h.some(G),n.__h=n.__h.filter(function(i){return!i.__||Ae(i)})}catch(i){n.__h=[function(){throw i}]}}),Ye&&Ye(t,e)},w.unmount=function(t){
et&&et(t);var e,n,i=t.__c;i&&i.__H&&(i.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,
it(je.push(o))}else G(o)}catch(_){e=_}}),i.__H=void 0,e&&w.__e(e,i.__v))};var nt=typeof requestAnimationFrame=="function";function Ct(t){var e,n=function(){clearTimeout(
i),nt&&cancelAnimationFrame(e),setTimeout(t)},i=setTimeout(n,35);nt&&(e=requestAnimationFrame(n))}function it(t){t!=1&&Je==w.requestAnimationFrame||((Je=w.requestAnimationFrame)||
Ct)(St)}function G(t){var e=b,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),b=e}function Ae(t){var e=b;t.__c=t.__(),b=e}function $e(t,e){return!t||t.length!=
e.length||e.some(function(n,i){return!Te(n,t[i])})}function rt(t,e){return typeof e=="function"?e(t):e}var Pt=Symbol.for("preact-signals");function ce(){if(A>1)A--;else{var t,e=!1;for((function(){var o=se;for(se=void 0;o!==void 0;){var _=o.S;if(_.v===o.v)for(var r=_.
t;r!==void 0;r=r.x)r.i===o.i&&(r.i=_.i);o=o.o}})();K!==void 0;){var n=K;for(K=void 0,fe++;n!==void 0;){var i=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&ft(n))try{n.c()}catch(o){
e||(t=o,e=!0)}n=i}}if(fe=0,A--,e)throw t}}function le(t){if(A>0)return t();Ue=++Tt,A++;try{return t()}finally{ce()}}var J,m=void 0;function Q(t){var e=m,n=J;m=void 0,
J=void 0;try{return t()}finally{m=e,J=n}}var K=void 0,A=0,fe=0,Tt=0,Ue=0,se=void 0,ae=0;function ut(t){if(m!==void 0){var e=t.n;if(e===void 0||e.t!==m)return e=
{i:0,S:t,p:m.s,n:void 0,t:m,e:void 0,x:void 0,r:e},m.s!==void 0&&(m.s.n=e),m.s=e,t.n=e,32&m.f&&t.S(e),e;if(e.i===-1)return e.i=0,e.n!==void 0&&(e.n.p=e.p,e.p!==
void 0&&(e.p.n=e.n),e.p=m.s,e.n=void 0,m.s.n=e,m.s=e),e}}function x(t,e){this.v=t,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=e?.watched,this.Z=e?.unwatched,
this.name=e?.name}x.prototype.brand=Pt;x.prototype.h=function(){return!0};x.prototype.S=function(t){var e=this,n=this.t;n!==t&&t.e===void 0&&(t.x=n,this.t=t,n!==
void 0?n.e=t:Q(function(){var i;(i=e.W)==null||i.call(e)}))};x.prototype.U=function(t){var e=this;if(this.t!==void 0){var n=t.e,i=t.x;n!==void 0&&(n.x=i,t.e=void 0),
i!==void 0&&(i.e=n,t.x=void 0),t===this.t&&(this.t=i,i===void 0&&Q(function(){var o;(o=e.Z)==null||o.call(e)}))}};x.prototype.subscribe=function(t){var e=this;return M(
function(){var n=e.value;Q(function(){return t(n)})},{name:"sub"})};x.prototype.valueOf=function(){return this.value};x.prototype.toString=function(){return this.
value+""};x.prototype.toJSON=function(){return this.value};x.prototype.peek=function(){var t=this;return Q(function(){return t.value})};Object.defineProperty(x.
prototype,"value",{get:function(){var t=ut(this);return t!==void 0&&(t.i=this.i),this.v},set:function(t){if(t!==this.v){if(fe>100)throw new Error("Cycle detecte\
d");(function(n){A!==0&&fe===0&&n.l!==Ue&&(n.l=Ue,se={S:n,v:n.v,i:n.i,o:se})})(this),this.v=t,this.i++,ae++,A++;try{for(var e=this.t;e!==void 0;e=e.x)e.t.N()}finally{
ce()}}}});function pe(t,e){return new x(t,e)}function ft(t){for(var e=t.s;e!==void 0;e=e.n)if(e.S.i!==e.i||!e.S.h()||e.S.i!==e.i)return!0;return!1}function st(t){
for(var e=t.s;e!==void 0;e=e.n){var n=e.S.n;if(n!==void 0&&(e.r=n),e.S.n=e,e.i=-1,e.n===void 0){t.s=e;break}}}function at(t){for(var e=t.s,n=void 0;e!==void 0;){
var i=e.p;e.i===-1?(e.S.U(e),i!==void 0&&(i.n=e.n),e.n!==void 0&&(e.n.p=i)):n=e,e.S.n=e.r,e.r!==void 0&&(e.r=void 0),e=i}t.s=n}function W(t,e){x.call(this,void 0,
e),this.x=t,this.s=void 0,this.g=ae-1,this.f=4}W.prototype=new x;W.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===
ae))return!0;if(this.g=ae,this.f|=1,this.i>0&&!ft(this))return this.f&=-2,!0;var t=m;try{st(this),m=this;var e=this.x();(16&this.f||this.v!==e||this.i===0)&&(this.
v=e,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return m=t,at(this),this.f&=-2,!0};W.prototype.S=function(t){if(this.t===void 0){this.f|=36;for(var e=this.
s;e!==void 0;e=e.n)e.S.S(e)}x.prototype.S.call(this,t)};W.prototype.U=function(t){if(this.t!==void 0&&(x.prototype.U.call(this,t),this.t===void 0)){this.f&=-33;
for(var e=this.s;e!==void 0;e=e.n)e.S.U(e)}};W.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var t=this.t;t!==void 0;t=t.x)t.t.N()}};Object.defineProperty(
W.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var t=ut(this);if(this.h(),t!==void 0&&(t.i=this.i),16&this.f)throw this.v;return this.
v}});function X(t,e){return new W(t,e)}function ct(t){var e=t.j;if(t.j=void 0,typeof e=="function"){A++;var n=m;m=void 0;try{e()}catch(i){throw t.f&=-2,t.f|=8,Ee(
t),i}finally{m=n,ce()}}}function Ee(t){for(var e=t.s;e!==void 0;e=e.n)e.S.U(e);t.x=void 0,t.s=void 0,ct(t)}function jt(t){if(m!==this)throw new Error("Out-of-or\
der effect");at(this),m=t,this.f&=-2;try{8&this.f&&Ee(this)}finally{ce()}}function L(t,e){this.x=t,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=
e?.name,J&&J.push(this)}L.prototype.c=function(){var t=this.S();try{if(8&this.f||this.x===void 0)return;var e=this.x();typeof e=="function"&&(this.j=e)}finally{
t()}};L.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,ct(this),st(this),A++;var t=m;return m=this,jt.bind(this,t)};L.
prototype.N=function(){2&this.f||(this.f|=2,this.u=K,K=this)};L.prototype.d=function(){this.f|=8,1&this.f||Ee(this)};L.prototype.dispose=function(){this.d()};function M(t,e){
var n=new L(t,e);try{n.c()}catch(o){throw n.d(),o}var i=n.d.bind(n);return i[Symbol.dispose]=i,i}var Me,V,he,At=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__,lt=[],pt=[];M(function(){Me=this.N})();function I(t,e){l[t]=e.bind(null,l[t]||function(){})}
function Y(t){if(he){var e=he;he=void 0,e()}he=t&&t.S()}function ht(t){var e=this,n=t.data,i=$t(n);i.name="ReactiveDom",i.value=n;var o=Z(function(){for(var f=e,
a=e.__v;a=a.__;)if(a.__c){a.__c.__$f|=4;break}var c=X(function(){var u=i.value.value;return u===0?0:u===!0?"":u||""}),s=X(function(){return!Array.isArray(c.value)&&
!ge(c.value)}),y=M(function(){if(this.N=vt,s.value){var u=c.value;f.__v&&f.__v.__e&&f.__v.__e.nodeType===3&&(f.__v.__e.data=u)}}),v=e.__$u.d;return e.__$u.d=function(){
y(),v.call(this)},[s,c]},[]),_=o[0],r=o[1];return _.value?r.peek():r.value}ht.displayName="ReactiveTextNode";Object.defineProperties(x.prototype,{constructor:{configurable:!0,
value:Le(j,null).constructor},type:{configurable:!0,value:ht},props:{configurable:!0,get:function(){var t=this;return{data:{get value(){return t.value}}}}},__b:{
configurable:!0,value:1}});I("__b",function(t,e){if(Y(),V=void 0,typeof e.type=="string"){var n,i=e.props;for(var o in i)if(o!=="children"){var _=i[o];_ instanceof
x&&(n||(e.__np=n={}),n[o]=_,i[o]=_.peek())}}t(e)});I("__r",function(t,e){if(t(e),e.type!==j){Y();var n,i=e.__c;i&&(i.__$f&=-2,(n=i.__$u)===void 0&&(i.__$u=n=(function(o,_){
var r;return M(function(){r=this},{name:_}),r.c=o,r})((function(o){return function(){var _;At&&((_=this.y)==null||_.call(this)),o.__$f|=1,o.setState({})}})(i),typeof e.
type=="function"?e.type.displayName||e.type.name:""))),V=i,Y(n)}});I("__e",function(t,e,n,i){Y(),V=void 0,t(e,n,i)});I("diffed",function(t,e){Y(),V=void 0;var n;
if(typeof e.type=="string"&&(n=e.__e)){var i=e.__np,o=e.props,_=n.U;if(_)for(var r in _){var f=_[r];f===void 0||i&&r in i||(f.d(),_[r]=void 0)}if(i){_||(_={},n.
U=_);for(var a in i){var c=_[a],s=i[a];c===void 0?(c=Nt(n,a,s,o),_[a]=c):c.o(s,o)}}}t(e)});function Nt(t,e,n,i){var o=e in t&&t.ownerSVGElement===void 0,_=pe(n);
return{o:function(r,f){_.value=r,i=f},d:M(function(){this.N=vt;var r=_.value.value;i[e]!==r&&(i[e]=r,o?t[e]=r:r!=null&&(r!==!1||e[4]==="-")?t.setAttribute(e,r):
t.removeAttribute(e))})}}I("unmount",function(t,e){if(typeof e.type=="string"){var n=e.__e;if(n){var i=n.U;if(i){n.U=void 0;for(var o in i){var _=i[o];_&&_.d()}}}
var r=e.__np;if(r){var f=e.props;for(var a in r)f[a]=r[a]}e.__np=void 0}else{var c=e.__c;if(c){c.__$f|=8;var s=c.__$u;s&&(c.__$u=void 0,s.d())}}t(e)});I("__h",function(t,e,n,i){
i<3&&(e.__$f|=2),t(e,n,i)});q.prototype.shouldComponentUpdate=function(t,e){if(this.__R)return!0;var n=this.__$u,i=n&&n.s!==void 0;for(var o in e)return!0;if(this.
__f||typeof this.u=="boolean"&&this.u===!0){var _=2&this.__$f;if(!(i||_||4&this.__$f)||1&this.__$f)return!0}else if(!(i||4&this.__$f)||3&this.__$f)return!0;for(var r in t)
if(r!=="__source"&&t[r]!==this.props[r])return!0;for(var f in this.props)if(!(f in t))return!0;return!1};function $t(t,e){return Z(function(){return pe(t,e)},[])}
function en(t,e){var n=Ne(t);return n.current=t,V.__$f|=4,Z(function(){return X(function(){return n.current()},e)},[])}var Ut=typeof requestAnimationFrame>"u"?setTimeout:
function(t){var e=function(){clearTimeout(n),cancelAnimationFrame(i),t()},n=setTimeout(e,35),i=requestAnimationFrame(e)},Et=function(t){queueMicrotask(function(){
queueMicrotask(t)})};function Mt(){le(function(){for(var t;t=lt.shift();)Me.call(t)})}function Ot(){lt.push(this)===1&&(l.requestAnimationFrame||Ut)(Mt)}function Ht(){
le(function(){for(var t;t=pt.shift();)Me.call(t)})}function vt(){pt.push(this)===1&&(l.requestAnimationFrame||Et)(Ht)}function tn(t,e){var n=Ne(t);n.current=t;var i=V;
ot(function(){return M(function(){if(this.N=Ot,!(i&&8&i.__$f))return n.current()},e)},[])}var Dt=Symbol.for("pv"),Ft=0;function rn(t,e,n,i,o,_){e||(e={});var r,f,a=e;if("ref"in a&&typeof t!="function")for(f in a={},e)f=="ref"?r=e[f]:a[f]=e[f];var c={type:t,props:a,key:n,ref:r,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Dt,__v:--Ft,__i:-1,__u:0};return(o||_)&&(c.__source=o,c.__self=_),l.vnode&&l.vnode(c),c}export{j as a,q as b,Wt as c,qt as d,Vt as e,ot as f,It as g,Ne as h,Z as i,Bt as j,zt as k,le as l,pe as m,M as n,$t as o,en as p,tn as q,rn as r};
