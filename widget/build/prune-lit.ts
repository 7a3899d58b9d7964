import type { Plugin } from 'vite';

/**
 * What templates of ours never use of lit-html 3.3.3, as it stands in its minified module: the text, and what is left of it. Our
 * templates have text, attributes, listeners, templates and arrays in them; no directives, no `.property`, `?boolean` or element
 * expressions, no listeners but functions, none inside SVG, MathML, comments, scripts or styles. Bundlers cannot see that.
 */
const UNUSED: readonly (readonly [text: string, left: string])[] = [
  // Kinds of expressions.
  ['"."===e[1]?I:"?"===e[1]?L:"@"===e[1]?z:H', '"@"===e[1]?z:H'],
  [':6===r.type&&(i=new Z(h,this,t))', ':0'],
  // SVG and MathML.
  ['l=2===i?"<svg>":3===i?"<math>":""', 'l=""'],
  ['+(2===i?"</svg>":3===i?"</math>":"")', ''],
  [',2===i||3===i){const t=this.el.content.firstChild;t.replaceWith(...t.childNodes)}for(', ',0);for('],
  // Directives, and what only they say: `noChange`.
  ['t=M(this,t,i),a(t)', 'a(t)'],
  ['t!==this._$AH&&t!==E&&this._(t)', 't!==this._$AH&&this._(t)'],
  ['t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E', 'o=!a(t)||t!==this._$AH'],
  ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n])', 'r=e[s+n]'],
  ['if((t=M(this,t,i,0)??A)===E)return;', 't??=A;'],
  ['_$AI(t){M(this,t)}', '_$AI(t){}'],
  // Expressions in scripts, styles and comments.
  ['if(y.test(r.tagName)){', 'if(0){'],
  ['else{let t=-1;for(;-1!==(t=r.data.indexOf(o,t+1));)d.push({type:7,index:l}),t+=o.length-1}', ''],
  // What directives ask of parts, and options of a rendering.
  ['get startNode(){return this._$AA}get endNode(){return this._$AB}', ''],
  ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}', ''],
  ['for(this._$AP?.(!1,!0,s);t!==this._$AB;)', 'for(;t!==this._$AB;)'],
  ['this.options=e,this._$Cv=e?.isConnected??!0', 'this.options=e'],
  ['get _$AU(){return this._$AM?._$AU??this._$Cv}', ''],
  ['get _$AU(){return this._$AM._$AU}u(t)', 'u(t)'],
  ['get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}', ''],
  [
    'const e=s?.renderBefore??i;let h=e._$litPart$;if(void 0===h){const t=s?.renderBefore??null;e._$litPart$=h=new k(i.insertBefore(c(),t),t,void 0,s??{})}return h._$AI(t),h',
    'let h=i._$litPart$;if(void 0===h)i._$litPart$=h=new k(i.insertBefore(c(),null),null,void 0,{});return h._$AI(t),h',
  ],
  // Anything iterable but arrays, and listeners that are objects, have options or another `this`.
  ['d=t=>u(t)||"function"==typeof t?.[Symbol.iterator]', 'd=u'],
  ['e=t===A&&s!==A||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive', 'e=t===A&&s!==A'],
  ['"function"==typeof this._$AH?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)', 'this._$AH(t)'],
  ['(t?.creationScope??l).importNode', 'l.importNode'],
  // What Lit's other packages and its polyfill look for.
  [
    'const j={M:h,P:o,A:n,C:1,L:N,R,D:d,V:M,I:k,H,N:L,U:z,B:I,F:Z},B=t.litHtmlPolyfillSupport;B?.(S,k),(t.litHtmlVersions??=[]).push("3.3.3");',
    '',
  ],
  ['export{j as _$LH,', 'export{'],
];

/** Leaves out of lit-html what is not used. Fails when it is another lit-html than the list is about. */
export function pruneLit(): Plugin {
  return {
    name: 'prune-lit',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      return { code: UNUSED.reduce(withoutOne, code), map: null };
    },
  };
}

function withoutOne(code: string, [text, left]: readonly [string, string]): string {
  if (code.split(text).length !== 2) {
    throw new Error(`lit-html has changed: it has not exactly one "${text}". Go through the list in widget/build/prune-lit.ts.`);
  }
  return code.replace(text, () => left);
}
