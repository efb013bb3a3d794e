import { createHash } from 'node:crypto'
import { html, Markup } from '#foundation/api/http/html'

/*
 * One style sheet for all pages, inline, so that a phone on a slow line needs one answer only. No
 * information depends on color alone, and all texts have a contrast of 4.5 to 1 in both schemes.
 */
const STYLE = `
:root{color-scheme:light dark;--ground:#f3f4f7;--card:#fff;--text:#12151c;--soft:#565e6e;--line:#e3e6ec;--field:#858d9d;
--accent:#1d55e8;--on-accent:#fff;--tint:#eef2fe;--warn:#fff5dc;--warn-line:#e2b64a;--warn-text:#5c4200}
@media(prefers-color-scheme:dark){:root{--ground:#0c0e13;--card:#161a22;--text:#eef0f5;--soft:#a0a8b8;--line:#272d39;--field:#7d8698;
--accent:#7ba2ff;--on-accent:#0a1330;--tint:#1b2336;--warn:#2b2310;--warn-line:#7a5f1d;--warn-text:#f3d58a}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;background:var(--ground);color:var(--text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;padding:1rem;
padding:max(1rem,env(safe-area-inset-top)) max(1rem,env(safe-area-inset-right)) max(1rem,env(safe-area-inset-bottom)) max(1rem,env(safe-area-inset-left))}
main{width:100%;max-width:27rem;margin:auto}
main.wide{max-width:54rem}
main.list{max-width:36rem;margin-top:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:1.5rem;
box-shadow:0 1px 2px #0000000a,0 12px 32px -16px #00000024}
.head{display:flex;gap:1rem;align-items:center}
.icon{width:4.5rem;height:4.5rem;border-radius:1rem;flex:none;display:block;border:1px solid var(--line);object-fit:cover}
.head>div{min-width:0}
h1{font-size:1.375rem;line-height:1.25;letter-spacing:-.015em;overflow-wrap:anywhere}
h2{font-size:1rem;line-height:1.4}
h1,h2,.hint,.warn,footer{text-wrap:balance}
.sub{color:var(--soft);overflow-wrap:anywhere}
.lead{margin-top:1.25rem}
.button{display:flex;align-items:center;justify-content:center;min-height:3.25rem;margin-top:1.25rem;padding:.75rem 1.25rem;border-radius:.875rem;
background:var(--accent);color:var(--on-accent);font-weight:600;font-size:1.0625rem;text-align:center;text-decoration:none}
.button.quiet{background:var(--tint);color:var(--accent)}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.hint{color:var(--soft);font-size:.875rem;margin-top:.75rem;text-align:center}
.warn{margin-top:1.25rem;padding:.75rem 1rem;border-radius:.875rem;background:var(--warn);border:1px solid var(--warn-line);color:var(--warn-text);font-size:.9375rem}
.notes{margin-top:1.25rem;padding:1rem;border-radius:.875rem;background:var(--tint)}
.notes p{white-space:pre-wrap;overflow-wrap:anywhere;margin-top:.25rem}
dl{margin-top:1.25rem;font-size:.9375rem}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.5625rem 0;border-top:1px solid var(--line)}
dt{color:var(--soft);flex:none}
dd{text-align:right;overflow-wrap:anywhere;min-width:0}
details{border-top:1px solid var(--line);padding-top:.75rem;font-size:.9375rem}
summary{cursor:pointer;font-weight:600;padding:.25rem 0;border-radius:.25rem}
details ul{padding-left:1.125rem;color:var(--soft)}
details li{margin-top:.375rem}
.qr{margin-top:1.5rem;text-align:center}
.qr svg{display:block;width:13rem;max-width:100%;height:auto;margin:0 auto .75rem;background:#fff;border-radius:1rem;padding:.875rem;border:1px solid var(--line)}
.address{display:block;margin-top:1rem;padding:.75rem 1rem;border-radius:.875rem;background:var(--tint);font:.8125rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all;-webkit-user-select:all}
form{margin-top:1.25rem}
label{font-size:.875rem;font-weight:600}
.row{display:flex;gap:.5rem;margin-top:.375rem}
input[type=search]{flex:1;min-width:0;min-height:2.75rem;padding:.5rem .875rem;border:1px solid var(--field);border-radius:.75rem;background:var(--card);color:var(--text);font:inherit}
input::placeholder{color:var(--soft);opacity:1}
button.button{margin:0;min-height:2.75rem;padding:.5rem 1rem;border:0;border-radius:.75rem;font-size:1rem;font-family:inherit;cursor:pointer}
.builds,.chips{list-style:none;padding:0}
.builds{margin-top:1.25rem}
.builds>li{padding:1rem 0;border-top:1px solid var(--line)}
.builds h2 a{text-decoration:none;font-size:1.0625rem}
.builds h2 a:hover{text-decoration:underline}
.builds .sub,.mine{font-size:.875rem}
.brief{margin-top:.375rem;overflow-wrap:anywhere}
.mine{margin-top:.375rem;color:var(--soft);font-weight:600}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.75rem}
.chip{display:inline-block;padding:.1875rem .75rem;border-radius:1rem;background:var(--tint);font-size:.8125rem;text-decoration:none;overflow-wrap:anywhere}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.steps{margin-top:1.25rem;padding-left:1.25rem}
.steps li{margin-top:.5rem;padding-left:.25rem}
.others{margin-top:1.25rem;text-align:center;font-size:.9375rem}
footer{width:100%;max-width:27rem;margin:1rem auto 0;text-align:center;color:var(--soft);font-size:.8125rem}
@media(min-width:48rem){
body{padding:2.5rem}
.card{padding:2rem}
.wide .card.split{display:grid;grid-template-columns:1fr 17rem;gap:2.5rem}
.split .qr{margin:0;padding-left:2.5rem;border-left:1px solid var(--line);display:flex;flex-direction:column;justify-content:center}
}
`

/** The content policy allows it by its hash, so it has to stay unchanged to the byte. */
const SHEET = new Markup(`<style>${STYLE}</style>`)
const HASH = createHash('sha256').update(STYLE).digest('base64')

/** The content policy of a page: its own style sheet, and pictures of this service. No scripts. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${HASH}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page. Its address gives access, so they keep it from spreading. */
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'vary': 'user-agent',
}

/** Returns a page as an answer. */
export function pageResponse(status: number, title: string, body: Markup) {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f3f4f7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0c0e13" media="(prefers-color-scheme: dark)" />
        <title>${title}</title>
        ${SHEET}
      </head>
      <body>
        ${body}
      </body>
    </html>`
  const raw = { bytes: page.toString(), contentType: 'text/html; charset=utf-8' }
  return { status, raw, headers: HEADERS }
}
