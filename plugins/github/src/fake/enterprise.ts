import { STORAGE } from './actions.js'

const API = 'https://api.github.com'
const SITE = 'https://github.com'

/** The path below which a server serves its own artifacts. */
const ARTIFACTS = '/_services/artifacts/'

/**
 * Answers as an Enterprise Server: REST is below `/api/v3`, GraphQL at `/api/graphql`, and links
 * lead to the server, those to artifacts included.
 * @param server its origin
 * @param storage the origin of its artifacts; null if it serves them itself
 * @param answer answers as github.com
 */
export async function answerAsServer(
  { server, storage }: { server: string; storage: string | null },
  request: Request,
  answer: (request: Request) => Promise<Response>
): Promise<Response> {
  const url = urlOnGitHub(server, request.url)
  if (url === null) return Response.json({ message: 'Not Found' }, { status: 404 })
  const { method, headers } = request
  const body = await request.text()
  const asked = new Request(url, { method, headers, ...(body === '' ? {} : { body }) })
  const answered = await answer(asked)
  const rewrite = (text: string) =>
    text
      .replaceAll(API, `${server}/api/v3`)
      .replaceAll(
        `https://${STORAGE}/artifacts/`,
        storage === null ? `${server}${ARTIFACTS}` : `${storage}/artifacts/`
      )
      .replaceAll(SITE, server)
  const rewritten = new Headers([...answered.headers].map(([name, text]) => [name, rewrite(text)]))
  const isJson = answered.headers.get('content-type')?.includes('json') ?? false
  const content = isJson ? rewrite(await answered.text()) : answered.body
  return new Response(content, { status: answered.status, headers: rewritten })
}

/** Returns the same address on github.com; null for one that a server does not have. */
function urlOnGitHub(server: string, address: string): string | null {
  const { origin, pathname, search, hostname } = new URL(address)
  if (hostname.endsWith('.blob.core.windows.net')) {
    return `https://${STORAGE}${pathname}${search}`
  }
  if (origin !== server) return null
  if (pathname === '/api/graphql') return `${API}/graphql`
  const [, rest] = /^\/api\/v3(\/.+)$/.exec(pathname) ?? []
  if (rest !== undefined) return rest === '/graphql' ? null : `${API}${rest}${search}`
  const { length } = ARTIFACTS
  const isArtifact = pathname.startsWith(ARTIFACTS)
  return isArtifact ? `https://${STORAGE}/artifacts/${pathname.slice(length)}${search}` : null
}
