import type { IncomingHttpHeaders } from 'node:http'
import { REVISION, SERVER_INFO } from './server_info.js'
import { toolIn } from './tools/sets.js'
import { resultJson, type ToolAnswer } from './tools/result.js'
import type { Arguments, Tool } from './tools/tool.js'

/**
 * A tool call without anything unusual. The SDK creates a server for every request, which costs
 * more than most operations. So such calls are answered without it, with byte-for-byte the same
 * answer. Everything unusual or invalid is left to the SDK.
 */
export interface PlainCall {
  id: string | number
  tool: Tool
  args: Arguments
  /** The client's own name. */
  client: string
}

type Members = Readonly<Record<string, unknown>>

const META = 'io.modelcontextprotocol/'
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown) => isObject(value) && hasOnly(value, [])

/** Returns whether an object has no members other than these. */
const hasOnly = (value: Members, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name))

/** Returns the call in a message, or null for any other message. */
export function plainCallOf(
  message: unknown,
  headers: IncomingHttpHeaders,
  listing: readonly Tool[]
): PlainCall | null {
  if (!isObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params)) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (!hasOnly(params, ['name', 'arguments', '_meta'])) return null
  const { name, arguments: args = {}, _meta: meta } = params
  const client = clientIn(meta)
  if (client === null || typeof name !== 'string' || !isObject(args)) return null
  if (
    headers['mcp-protocol-version'] !== REVISION ||
    headers['mcp-method'] !== method ||
    headers['mcp-name'] !== name ||
    headers['content-type'] !== 'application/json'
  )
    return null
  const tool = toolIn(listing, name)
  return tool ? { id: id as string | number, tool, args, client } : null
}

/** Returns the client's name from the metadata of a request; null if anything in it is unusual. */
function clientIn(meta: unknown): string | null {
  if (!isObject(meta)) return null
  const info = meta[`${META}clientInfo`]
  const capabilities = meta[`${META}clientCapabilities`]
  const known = [`${META}protocolVersion`, `${META}clientInfo`, `${META}clientCapabilities`]
  if (!hasOnly(meta, known) || meta[`${META}protocolVersion`] !== REVISION) return null
  if (!isObject(capabilities) || !Object.values(capabilities).every(isEmpty)) return null
  if (!isObject(info) || !hasOnly(info, ['name', 'version'])) return null
  return typeof info.name === 'string' && typeof info.version === 'string' ? info.name : null
}

const RESULT_MEMBERS = `"resultType":"complete","_meta":${JSON.stringify({ [`${META}serverInfo`]: SERVER_INFO })}`

/** Creates the response message for a call. */
export const messageWith = (response: ToolAnswer, { id }: PlainCall): string =>
  `{"result":${resultJson(response, RESULT_MEMBERS)},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
