/** A refusal; it turns into an error response in GitHub's format. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: readonly Record<string, unknown>[],
    readonly documentation = 'https://docs.github.com/rest'
  ) {
    super(message)
  }

  response(): Response {
    const { status, message, errors, documentation } = this
    return Response.json(
      {
        message,
        ...(errors ? { errors } : {}),
        documentation_url: documentation,
      },
      { status }
    )
  }
}

export const notFound = (message = 'Not Found') => new Refusal(404, message)

export const invalid = (message: string, detail?: Record<string, unknown>) =>
  new Refusal(422, message, detail ? [detail] : undefined)

/** The parts of a request that a route reads. */
export interface FakeRequest {
  /** The decoded variable parts of the path. */
  params: readonly string[]
  query: URLSearchParams
  body: Record<string, unknown>
  headers: Headers
  url: URL
  /** The login of the requester. */
  login: string
}

/** Returns a page of a list, with links to the next and the last page. */
export function pageOf<Item>(
  { query, url }: FakeRequest,
  all: readonly Item[]
): { items: Item[]; headers: Record<string, string> } {
  const size = Math.min(100, Number(query.get('per_page') ?? 30))
  const page = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const linkTo = (to: number, rel: string) => {
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    return `<${target.href}>; rel="${rel}"`
  }
  const links = page < last ? [linkTo(page + 1, 'next'), linkTo(last, 'last')] : []
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}
