import { createHash } from 'node:crypto'
import { allProblems, declarationOf } from '../../core/problems/catalog.js'
import { writtenOut } from './written_out.js'

interface Described {
  'operationId': string
  'summary': string
  'description': string
  'tags': string[]
  'parameters': { name: string; in: string; required: boolean; description?: string }[]
  'requestBody'?: { description?: string; content: Record<string, { example?: unknown }> }
  'responses': Record<
    string,
    { description?: string; content?: Record<string, { example?: unknown }> }
  >
  'x-user-actions'?: string[]
  'x-admin'?: boolean
  'x-webhook-events'?: string[]
  'x-beyond-specification'?: boolean
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:#2563eb}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:19rem 1fr}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:.85rem}
nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0}
nav a:hover{color:var(--accent)}
main{padding:1rem 2rem 6rem;max-width:60rem;min-width:0}
article{border-top:1px solid var(--line);padding:1rem 0}
h3{margin:.2rem 0}
code,pre{font:.85rem/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.8rem;overflow:auto;border-radius:.4rem}
.method{font-weight:700;display:inline-block;min-width:4.2rem}
.badge{font-size:.75rem;border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;margin-left:.4rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{border-bottom:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}}
`

const digest = createHash('sha256').update(STYLE).digest('base64')

/** The content security policy of these pages. It allows no inline style except their own. */
export const REFERENCE_POLICY = `default-src 'none'; style-src 'sha256-${digest}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: unknown): string {
  return String(text).replace(/[&<>"]/g, (character) => ENTITIES[character])
}

function shell(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`
}

function example(content: Record<string, { example?: unknown }> | undefined): string {
  const [entry] = Object.entries(content ?? {})
  if (!entry || entry[1].example === undefined) return ''
  const [type, { example: value }] = entry
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<p><code>${escape(type)}</code></p><pre>${escape(text)}</pre>`
}

/** Returns whether a response is only a problem. The page lists problems once. */
const isProblem = ({ content }: Described['responses'][string]) =>
  content !== undefined && Object.keys(content).join() === 'application/problem+json'

function article(method: string, path: string, operation: Described): string {
  const actions = operation['x-user-actions']
  const events = operation['x-webhook-events']
  const needs = operation['x-admin'] ? ['an admin key'] : (actions ?? [])
  const parameters = operation.parameters
    .map(
      (each) =>
        `<tr><td><code>${escape(each.name)}</code></td><td>${escape(each.in)}${each.required ? ', required' : ''}</td><td>${escape(each.description ?? '')}</td></tr>`
    )
    .join('')
  const results = Object.entries(operation.responses)
    .map(([status, result]) =>
      isProblem(result)
        ? `<a href="#problems">${escape(status)}</a>`
        : `<p><strong>${escape(status)}</strong> ${escape(result.description)}</p>${example(result.content)}`
    )
    .join(' ')
  return `<article id="${escape(operation.operationId)}"><h3>${escape(operation.summary)}${operation['x-beyond-specification'] ? '<span class="badge">beyond the specification</span>' : ''}</h3>
<p><span class="method">${escape(method.toUpperCase())}</span><code>${escape(path)}</code></p><p>${escape(operation.description)}</p>
${needs.length ? `<p>Needs ${needs.map((each) => `<code>${escape(each)}</code>`).join(' or ')}.</p>` : ''}
${events ? `<p>May send ${events.map((each) => `<a href="#event-${escape(each)}"><code>${escape(each)}</code></a>`).join(', ')}.</p>` : ''}
${parameters ? `<table><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr>${parameters}</table>` : ''}
${operation.requestBody ? `<h4>Body</h4>${operation.requestBody.description ? `<p>${escape(operation.requestBody.description)}</p>` : ''}${example(operation.requestBody.content)}` : ''}<h4>Responses</h4>${results}</article>`
}

/** Returns the complete reference as one page, without scripts or external assets. */
export function referencePage(document: Record<string, unknown>): string {
  const paths = writtenOut(document).paths as Record<string, Record<string, Described>>
  const webhooks = document.webhooks as Record<string, { post: Described }>
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  )
  const tags = document.tags as { name: string; description: string }[]
  const used = tags.filter((tag) => all.some(({ operation }) => operation.tags[0] === tag.name))
  const inTag = (name: string) => all.filter(({ operation }) => operation.tags[0] === name)

  const navigation = used
    .map(
      (tag) =>
        `<h4>${escape(tag.name)}</h4>${inTag(tag.name)
          .map(
            ({ operation }) =>
              `<a href="#${escape(operation.operationId)}">${escape(operation.summary)}</a>`
          )
          .join('')}`
    )
    .join('')
  const sections = used
    .map(
      (tag) =>
        `<section><h2>${escape(tag.name)}</h2><p>${escape(tag.description)}</p>${inTag(tag.name)
          .map(({ method, path, operation }) => article(method, path, operation))
          .join('')}</section>`
    )
    .join('')
  const events = Object.entries(webhooks)
    .map(
      ([type, { post }]) =>
        `<article id="event-${escape(type)}"><h3><code>${escape(type)}</code></h3><p>${escape(post.description)}</p>${example(post.requestBody?.content)}</article>`
    )
    .join('')
  const codes = [...allProblems()]
    .map(
      ([code, [status, title, help]]) =>
        `<tr><td>${status}</td><td><code>${escape(code)}</code></td><td>${escape(title)}. ${escape(help)}</td></tr>`
    )
    .join('')
  const info = document.info as { title: string; version: string; description: string }
  return shell(
    `${info.title} reference`,
    `<nav><strong>${escape(info.title)} ${escape(info.version)}</strong>${navigation}<h4>More</h4><a href="#events">Webhook events</a><a href="#problems">Problem codes</a><a href="/openapi.json">OpenAPI document</a></nav>
<main><h1>${escape(info.title)}</h1><p>${escape(info.description)} Send your key in the header <code>X-API-Key</code>.</p>${sections}
<section id="events"><h2>Webhook events</h2>${events}</section>
<section id="problems"><h2>Problem codes</h2><table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>${codes}</table></section></main>`
  )
}

/** Returns the page that the `type` of a problem points to. */
export function problemPage(code: string): string {
  const [status, title, help] = declarationOf(code)
  return shell(
    title,
    `<main><h1>${escape(title)}</h1><p>HTTP status ${status}, code <code>${escape(code)}</code>.</p><p>${escape(help)}</p><p><a href="/docs/plain#problems">All problem codes</a></p></main>`
  )
}
