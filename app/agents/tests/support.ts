import type { Api } from '#tests/support/api'

/** The answer of a tool. */
export interface ToolAnswer {
  isError?: boolean
  content: { type: string; text: string }[]
  /** The parsed content of its text, if it is no refusal. */
  structuredContent?: any
}

/** Returns the data between the marks of a text. */
const reportedIn = (text: string): any =>
  JSON.parse(/<data-[\w-]+>\n(.*)\n<\/data-/s.exec(text)![1])

/** Returns an answer with the parsed content of its text. */
export function readAnswer(response: ToolAnswer): ToolAnswer {
  if ('structuredContent' in response) throw new Error('It was sent twice')
  return response.isError
    ? response
    : { ...response, structuredContent: reportedIn(response.content[0].text) }
}

let id = 0

/** Sends one message of the protocol, like clients of the 2025 era. */
export async function rpc(
  api: Api,
  method: string,
  params: object = {},
  path = '/mcp'
): Promise<any> {
  const json = { jsonrpc: '2.0', id: ++id, method, params }
  const headers = { 'accept': 'application/json, text/event-stream', 'user-agent': 'Robot/2.1' }
  const { status, body, text } = await api.send<any>('POST', path, { json, headers })
  if (status !== 200) throw new Error(`${method}: ${status} ${text}`)
  if (body.error) throw Object.assign(new Error(body.error.message), { code: body.error.code })
  return body.result
}

/** The metadata that clients of the current revision send with every request. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'Pilot bot', version: '3.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Returns the headers of a message of the current revision. */
export const headersFor = (method: string, name?: string) => ({
  'content-type': 'application/json',
  'accept': 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

/** Returns a message of the current revision, as sent over the wire. */
export const messageOf = (
  method: string,
  params: Record<string, unknown>,
  meta: object = META
) => ({
  jsonrpc: '2.0',
  id: ++id,
  method,
  params: { ...params, _meta: meta },
})

/** Calls a tool like clients of the current revision. */
export async function callToday(
  api: Api,
  name: string,
  args: object,
  meta: object = META
): Promise<ToolAnswer> {
  const json = messageOf('tools/call', { name, arguments: args }, meta)
  const { status, body, text } = await api.send<any>('POST', '/mcp', {
    json,
    headers: headersFor('tools/call', name),
  })
  if (status !== 200 || body.error || body.id !== json.id) throw new Error(`${status} ${text}`)
  return readAnswer(body.result)
}

/** Calls a tool. */
export const call = async (api: Api, name: string, args: object): Promise<ToolAnswer> =>
  readAnswer(await rpc(api, 'tools/call', { name, arguments: args }))

/** Returns the content of a refusal, without the marks. */
export function refusalOf({ isError, content }: ToolAnswer): any {
  if (!isError) throw new Error('It was not refused')
  return reportedIn(content[0].text)
}
