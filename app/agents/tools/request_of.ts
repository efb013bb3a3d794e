import type { PlainRequest } from '#foundation/api/execution/input_of'
import { tooLarge } from '#foundation/api/http/read_body'
import {
  TEXT_TYPES,
  type AnyOperation,
  type BodyDeclaration,
} from '#foundation/api/operation/declaration'
import { didYouMean } from '#foundation/core/did_you_mean'
import { jsonPointer } from '#foundation/core/json_pointer'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Caller } from '../asking.js'
import { allowedActionsOf } from './allowed.js'
import { MAX_FIELDS, partsOf, USUAL_LIMIT } from './schema.js'
import { actionsIn, type Arguments, type Tool, type ToolAction } from './tool.js'

/** Members about the call itself, with their checks. */
const OWN_MEMBERS: Readonly<Record<string, (value: unknown) => string | null>> = {
  action: () => null,
  body: () => null,
  dryRun: (value) => (typeof value === 'boolean' ? null : 'dryRun is true or false.'),
  plan: (value) => (typeof value === 'string' ? null : 'plan is the token as it was given.'),
  ifMatch: (value) => (typeof value === 'string' ? null : 'ifMatch is the entityTag as it was.'),
  fields: (value) =>
    Array.isArray(value) &&
    value.length <= MAX_FIELDS &&
    value.every((each) => typeof each === 'string')
      ? null
      : `fields is a list of at most ${MAX_FIELDS} names.`,
}

/**
 * Returns the requested action. The name may be omitted if the key may use only one action.
 * @throws invalid_input when the tool has no such action
 */
export function actionOf(caller: Caller, tool: Tool, { action }: Arguments): ToolAction {
  const known = actionsIn(tool)
  if (typeof action === 'string' && Object.hasOwn(known, action)) return known[action]
  const allowed = Object.entries(allowedActionsOf(caller, tool))
  if ((action ?? null) === null && allowed.length === 1) return allowed[0][1]
  const near = typeof action === 'string' ? didYouMean(action, Object.keys(known)) : undefined
  const names = allowed.map(([name]) => name).join(', ') || 'none that this key may do'
  const message = `${tool.name} takes as action: ${names}.${meant(near)}`
  throw refuse('invalid_input', {
    detail: message,
    errors: [{ pointer: '/action', code: 'enum', message }],
  })
}

const meant = (near: string | undefined) => (near === undefined ? '' : ` Did you mean ${near}?`)

/** Returns the message for an argument that an action does not take. */
function unknownArgument(name: string, { path, query, body }: ReturnType<typeof partsOf>): string {
  const inBody = Object.keys((body?.properties ?? {}) as object)
  if (inBody.includes(name)) return `This action takes ${name} as a member of body.`
  const known = Object.keys({ ...path, ...query, ...OWN_MEMBERS })
  return `This action takes no ${name.slice(0, 100)}.${meant(didYouMean(name, known))}`
}

/**
 * Creates the operation's request.
 * @throws invalid_input with all unknown and missing arguments
 */
export function requestOf(operation: AnyOperation, input: Arguments): PlainRequest {
  const parts = partsOf(operation)
  const { path, own, query, body, bodyRequired } = parts
  const params: Record<string, string> = {}
  const requested: Record<string, unknown> = {}
  const errors: ProblemPlace[] = []
  const fault = (pointer: string, code: string, message: string) =>
    errors.push({ pointer, code, message })
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue
    if (Object.hasOwn(OWN_MEMBERS, name)) {
      const wrong = OWN_MEMBERS[name](value)
      if (wrong) fault(`/${name}`, 'type', wrong)
    } else if (Object.hasOwn(query, name)) requested[name] = value
    else if (!Object.hasOwn(path, name) && !own.has(name))
      fault(jsonPointer(name), 'unknown', unknownArgument(name, parts))
    else if (typeof value === 'object') fault(`/${name}`, 'type', `${name} is an id.`)
    else params[name] = String(value)
  }
  for (const name of [...Object.keys(path), ...own]) {
    if (params[name] === undefined && !own.has(name))
      fault(`/${name}`, 'required', `This action needs ${name}.`)
    else if (params[name] !== undefined && /[\0/]|^$/.test(params[name])) {
      fault(`/${name}`, 'format', `${name} is an id.`)
    }
  }
  const hasBody = input.body !== undefined && input.body !== null
  if (bodyRequired && !hasBody) fault('/body', 'required', 'This action needs body.')
  if (!body && hasBody) fault('/body', 'unknown', 'This action takes no body.')
  if (body?.type === 'string' && hasBody && typeof input.body !== 'string')
    fault('/body', 'type', 'body is the file as text.')
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
  if ('limit' in query) requested.limit ??= USUAL_LIMIT
  const { ifMatch } = input
  return {
    params,
    query: requested,
    body: hasBody ? bodyOf(operation, input.body) : undefined,
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
  }
}

function bodyOf(operation: AnyOperation, body: unknown): unknown {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  if (declared?.kind !== 'text') return body
  const bytes = Buffer.from(String(body))
  if (bytes.length > declared.maxBytes) throw tooLarge(declared.maxBytes)
  return { bytes, contentType: TEXT_TYPES[declared.format][0] }
}
