/** An answer that refuses, as Jira words it. */
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

/** A refusal that is about one field. */
export const ofField = (field: string, text: string) => new Refusal(400, [], { [field]: text })

/** The parts of a request that a route reads. */
export interface Asked {
  /** The parts of the path that are variable, decoded. */
  params: readonly string[]
  query: URLSearchParams
  body: Record<string, unknown>
}
