import { fileURLToPath } from 'node:url'
import type { HttpContext } from '@adonisjs/core/http'
import type {} from '@adonisjs/shield/shield_middleware'
import type { Edge } from 'edge.js'
import { requestId } from '#foundation/api/http/request_id'

const VIEWS = fileURLToPath(new URL('./views', import.meta.url))

let edge: Promise<Edge> | undefined

async function makeEdge(): Promise<Edge> {
  const { Edge: Engine } = await import('edge.js')
  const made = Engine.create({ cache: true })
  made.mount(VIEWS)
  return made
}

/** Renders a page of signing in as the answer, with the token that its forms carry. */
export async function renderView(http: HttpContext, name: string, view: object): Promise<void> {
  const engine = await (edge ??= makeEdge())
  const token = http.request.csrfToken
  http.response.header('content-type', 'text/html; charset=utf-8')
  http.response.send(await engine.render(name, { ...view, token }))
}

/** Why a page was not served. */
export interface PageProblem {
  status: number
  title: string
  detail: string
}

/** Renders why a page was not served, and what was not done. */
export async function renderProblem(
  http: HttpContext,
  { status, title, detail }: PageProblem
): Promise<void> {
  http.response.status(status)
  // The rest of a body is not read, so the connection cannot be used again.
  if (!http.request.request.complete) http.response.header('connection', 'close')
  await renderView(http, 'problem', { title, detail, requestId: requestId(http) })
}
