/** A refusal; it turns into an error response in Jira's format. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly messages: readonly string[],
    readonly errors: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {}
  ) {
    super(messages.join(' '))
  }

  response(): Response {
    const { status, messages, errors, headers } = this
    return Response.json({ errorMessages: messages, errors }, { status, headers })
  }
}

/** Creates a refusal about one field. */
export const ofField = (field: string, text: string) => new Refusal(400, [], { [field]: text })

/** The parts of a request that a route reads. */
export interface FakeRequest {
  /** The decoded variable parts of the path. */
  params: readonly string[]
  query: URLSearchParams
  body: Record<string, unknown>
}
