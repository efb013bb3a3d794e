import { randomUUID } from 'node:crypto'

/** One error of an error response, in Apple's words. */
export interface FakeError {
  code: string
  title: string
  detail: string
  /** JSON pointer to the invalid value in the request body. */
  pointer?: string
  /** Errors of other resources that caused this one, by the path of the resource. */
  associated?: Readonly<Record<string, FakeError[]>>
}

/** A refused request, which becomes an error response. */
export class Refusal extends Error {
  readonly errors: readonly FakeError[]

  constructor(
    readonly status: number,
    ...errors: FakeError[]
  ) {
    super(errors[0]?.detail)
    this.errors = errors
  }

  response(): Response {
    const { status, errors } = this
    const body = { errors: errors.map((each) => this.#errorObject(each)) }
    return Response.json(body, { status })
  }

  #errorObject({ code, title, detail, pointer, associated }: FakeError): Record<string, unknown> {
    const associatedErrors = Object.entries(associated ?? {}).map(([path, errors]) => [
      path,
      errors.map((each) => this.#errorObject(each)),
    ])
    return {
      id: randomUUID(),
      status: String(this.status),
      code,
      title,
      detail,
      ...(pointer ? { source: { pointer } } : {}),
      ...(associatedErrors.length > 0
        ? { meta: { associatedErrors: Object.fromEntries(associatedErrors) as object } }
        : {}),
    }
  }
}

export const notFound = (type: string, id: string) =>
  new Refusal(404, {
    code: 'NOT_FOUND',
    title: 'The specified resource does not exist',
    detail: `There is no resource of type '${type}' with id '${id}'`,
  })

/** Returns the refusal of a reference to a missing resource. */
export const unknownRelation = (type: string, id: string) =>
  new Refusal(409, {
    code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
    title: 'The provided entity includes a relationship with an invalid value',
    detail: `${type} with id ${id} cannot be found`,
  })

/** Returns the refusal of a change that the state of a resource prevents. */
export const stateError = (detail: string, associated: FakeError['associated'] = {}) =>
  new Refusal(409, {
    code: 'STATE_ERROR',
    title: 'The request cannot be fulfilled because of the state of another resource.',
    detail,
    associated,
  })

export const invalidAttribute = (detail: string, pointer: string, code = ''): FakeError => ({
  code: `ENTITY_ERROR.ATTRIBUTE.INVALID${code}`,
  title: 'The provided entity includes an attribute with an invalid value',
  detail,
  pointer,
})

/** Returns the error of a value that another resource already has. */
export const duplicate = (detail: string, pointer: string): FakeError => ({
  ...invalidAttribute(detail, pointer, '.DUPLICATE'),
  title: 'The provided entity includes an attribute with a value that has already been used',
})

export const unprocessable = (detail: string) =>
  new Refusal(422, { code: 'ENTITY_UNPROCESSABLE', title: detail, detail })

/** A JSON:API resource with all its members. */
export interface Resource {
  type: string
  id: string
  attributes?: Readonly<Record<string, unknown>>
  relationships?: Readonly<Record<string, { data: Linkage | Linkage[] | null }>>
}

export interface Linkage {
  type: string
  id: string
}

interface Body {
  data?: {
    id?: string
    attributes?: Record<string, unknown>
    relationships?: Record<string, { data?: Linkage | Linkage[] | null }>
  }
}

/** The parsed request that a route gets. */
export class JsonApiRequest {
  readonly #used = new Set<string>()

  constructor(
    readonly params: readonly string[],
    readonly url: URL,
    private readonly body: Body
  ) {}

  /** Returns the values of a filter; null if the request does not have it. */
  filter(name: string): string[] | null {
    this.#used.add(`filter[${name}]`)
    return this.url.searchParams.get(`filter[${name}]`)?.split(',') ?? null
  }

  /** Refuses filters that the route did not read, as Apple refuses unknown ones. */
  requireFiltersRead(): void {
    const unread = [...this.url.searchParams.keys()].find(
      (name) => name.startsWith('filter[') && !this.#used.has(name)
    )
    if (unread === undefined) return
    throw new Refusal(400, {
      code: 'PARAMETER_ERROR.ILLEGAL',
      title: 'A parameter has an invalid value',
      detail: `The parameter '${unread}' can not be used with this request`,
    })
  }

  get attributes(): Record<string, unknown> {
    return this.body.data?.attributes ?? {}
  }

  text(name: string): string {
    return String(this.attributes[name] ?? '')
  }

  /** Returns the id in a relationship of the body; null if it is missing. */
  related(name: string): string | null {
    const data = this.body.data?.relationships?.[name]?.data
    return data && !Array.isArray(data) ? data.id : null
  }

  /** The ids in a body that is a list of resource identifiers; else an empty list. */
  get linkages(): string[] {
    const data = this.body.data as unknown
    return Array.isArray(data) ? (data as Linkage[]).map(({ id }) => id) : []
  }
}

/** Finds a related resource. */
export type Lookup = (type: string, id: string) => Resource | null

/**
 * Returns a resource with the requested fields. Relationships have data only if they are included.
 */
function resourceObject(
  request: JsonApiRequest,
  resource: Resource,
  isIncluded: boolean
): Record<string, unknown> {
  const { type, id, attributes = {}, relationships = {} } = resource
  const { searchParams } = request.url
  const fields = searchParams.get(`fields[${type}]`)?.split(',')
  const includes = searchParams.get('include')?.split(',') ?? []
  const has = (name: string) => fields === undefined || fields.includes(name)
  const shownAttributes = Object.entries(attributes).filter(
    ([name, value]) => has(name) && value !== undefined && value !== null
  )
  const shownRelationships = Object.entries(relationships).filter(
    ([name, { data }]) =>
      has(name) && data !== null && (isIncluded ? fields !== undefined : includes.includes(name))
  )
  return {
    type,
    id,
    ...(shownAttributes.length > 0 ? { attributes: Object.fromEntries(shownAttributes) } : {}),
    ...(shownRelationships.length > 0
      ? { relationships: Object.fromEntries(shownRelationships) }
      : {}),
    links: { self: `${request.url.origin}/v1/${type}/${id}` },
  }
}

function includedResources(
  request: JsonApiRequest,
  resources: readonly Resource[],
  lookup: Lookup
): unknown[] {
  const includes = request.url.searchParams.get('include')?.split(',') ?? []
  const found = new Map<string, Resource>()
  for (const { relationships = {} } of resources) {
    for (const name of includes) {
      for (const { type, id } of [relationships[name]?.data ?? []].flat()) {
        const resource = lookup(type, id)
        if (resource) found.set(`${type} ${id}`, resource)
      }
    }
  }
  return [...found.values()].map((each) => resourceObject(request, each, true))
}

/** Returns a JSON:API document with one resource. */
export function resourceDocument(
  request: JsonApiRequest,
  resource: Resource,
  lookup: Lookup
): unknown {
  const included = includedResources(request, [resource], lookup)
  return {
    data: resourceObject(request, resource, false),
    ...(included.length > 0 ? { included } : {}),
    links: { self: request.url.href },
  }
}

/** Returns a document with one page of a list; the cursor is the index of its first resource. */
export function listDocument(
  request: JsonApiRequest,
  all: readonly Resource[],
  lookup: Lookup
): unknown {
  const { searchParams } = request.url
  const limit = Math.min(200, Number(searchParams.get('limit') ?? 50))
  const from = Number(Buffer.from(searchParams.get('cursor') ?? '', 'base64url').toString() || 0)
  const page = all.slice(from, from + limit)
  const included = includedResources(request, page, lookup)
  const nextCursor =
    from + limit < all.length ? Buffer.from(String(from + limit)).toString('base64url') : null
  const next = new URL(request.url)
  if (nextCursor !== null) next.searchParams.set('cursor', nextCursor)
  return {
    data: page.map((each) => resourceObject(request, each, false)),
    ...(included.length > 0 ? { included } : {}),
    links: { self: request.url.href, ...(nextCursor === null ? {} : { next: next.href }) },
    meta: {
      paging: { total: all.length, limit, ...(nextCursor === null ? {} : { nextCursor }) },
    },
  }
}
