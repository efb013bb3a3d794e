/** A client of a server's HTTP API with one API key. */
export class Api {
  constructor(
    readonly base: string,
    readonly key: string
  ) {}

  /** Sends a text as YAML, anything else as JSON; answers the body. @throws on any answer but 2xx */
  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const isText = typeof body === 'string'
    const answer = await fetch(this.base + path, {
      method,
      headers: {
        'x-api-key': this.key,
        'content-type': isText ? 'application/yaml' : 'application/json',
        'prefer': 'handling=strict',
      },
      body: body === undefined || isText ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }
}
