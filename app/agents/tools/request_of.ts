import type { PlainRequest } from '#foundation/api/execution/input_of'
import { tooLarge } from '#foundation/api/http/read_body'
import type { AnyOperation, BodyDeclaration } from '#foundation/api/operation/declaration'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import { MOST_FIELDS, partsOf, USUAL_LIMIT } from './schema.js'
import type { Arguments, Tool, ToolAction } from './tool.js'

/** Members that are about the call itself, and what they have to be. */
const OWN_MEMBERS: Readonly<Record<string, (value: unknown) => string | null>> = {
  action: () => null,
  body: () => null,
  dryRun: (value) => (typeof value === 'boolean' ? null : 'dryRun is true or false.'),
  plan: (value) => (typeof value === 'string' ? null : 'plan is the token as it was given.'),
  ifMatch: (value) => (typeof value === 'string' ? null : 'ifMatch is the entityTag as it was.'),
  fields: (value) =>
    Array.isArray(value) &&
    value.length <= MOST_FIELDS &&
    value.every((each) => typeof each === 'string')
      ? null
      : `fields is a list of at most ${MOST_FIELDS} names.`,
}

/** @throws invalid_input where the action is none of the tool's */
export function actionOf(tool: Tool, { action }: Arguments): ToolAction {
  if (typeof action === 'string' && Object.hasOwn(tool.actions, action)) return tool.actions[action]
  const message = `${tool.name} takes as action: ${Object.keys(tool.actions).join(', ')}.`
  throw refuse('invalid_input', {
    detail: message,
    errors: [{ pointer: '/action', code: 'enum', message }],
  })
}

/** The request of the operation. @throws invalid_input with all that it does not take or lacks */
export function requestOf(operation: AnyOperation, given: Arguments): PlainRequest {
  const { path, own, query, body, bodyRequired } = partsOf(operation)
  const params: Record<string, string> = {}
  const asked: Record<string, unknown> = {}
  const errors: ProblemPlace[] = []
  const fault = (pointer: string, code: string, message: string) =>
    errors.push({ pointer, code, message })
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    if (Object.hasOwn(OWN_MEMBERS, name)) {
      const wrong = OWN_MEMBERS[name](value)
      if (wrong) fault(`/${name}`, 'type', wrong)
    } else if (Object.hasOwn(path, name) && typeof value === 'object')
      fault(`/${name}`, 'type', `${name} is an id.`)
    else if (Object.hasOwn(path, name)) params[name] = String(value)
    else if (Object.hasOwn(query, name)) asked[name] = value
    else fault(`/${name}`, 'unknown', `This action takes no ${name}.`)
  }
  for (const name of Object.keys(path)) {
    if (params[name] === undefined && !own.has(name))
      fault(`/${name}`, 'required', `This action needs ${name}.`)
    else if (params[name] !== undefined && /[\0/]|^$/.test(params[name])) {
      fault(`/${name}`, 'format', `${name} is an id.`)
    }
  }
  const hasBody = given.body !== undefined && given.body !== null
  if (bodyRequired && !hasBody) fault('/body', 'required', 'This action needs body.')
  if (!body && hasBody) fault('/body', 'unknown', 'This action takes no body.')
  if (body?.type === 'string' && hasBody && typeof given.body !== 'string')
    fault('/body', 'type', 'body is the file as text.')
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
  if ('limit' in query) asked.limit ??= USUAL_LIMIT
  const { ifMatch } = given
  return {
    params,
    query: asked,
    body: hasBody ? bodyOf(operation, given.body) : undefined,
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
  }
}

function bodyOf(operation: AnyOperation, body: unknown): unknown {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  if (declared?.kind !== 'yaml') return body
  const bytes = Buffer.from(String(body))
  if (bytes.length > declared.maxBytes) throw tooLarge(declared.maxBytes)
  return { bytes, contentType: 'application/yaml' }
}
