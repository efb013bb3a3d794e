import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Rendered } from '#foundation/api/execution/render'
import type { Problem } from '#foundation/core/problems/problem'
import { brief } from './brief.js'
import { fenced, harmlessJson } from './harmless.js'
import type { Arguments } from './tool.js'

/** The parts of an operation's response that are shown. */
interface Shown {
  result?: unknown
  leftOut?: string[]
  entityTag?: string
}

/**
 * Returns the response of an operation as an agent reads it, with the number of entries shown.
 * @param taken bytes taken by other parts of the result
 */
export function shownOf(
  rendered: Rendered,
  { fields }: Arguments,
  taken = 0
): { shown: Shown; entries?: number } {
  const { headers, status } = rendered
  const tag = headers.etag ? { entityTag: headers.etag } : {}
  if (status === 204) return { shown: tag }
  const isJson = headers['content-type']?.includes('json') ?? false
  // A file is only useful as a whole.
  if (!isJson) return { shown: { result: rendered.bytes.toString(), ...tag } }
  const { value, leftOut, shown } = brief(bodyOf(rendered), fields as string[] | undefined, taken)
  return {
    shown: { result: value, ...(leftOut.length > 0 && { leftOut }), ...tag },
    ...(shown !== undefined && { entries: shown }),
  }
}

/** Returns the body of a response. */
export const bodyOf = ({ body, bytes }: Rendered): unknown => body ?? JSON.parse(bytes.toString())

/** The answer of a tool, as JSON. */
export interface ToolAnswer {
  isError: boolean
  json: string
}

export function answerWith(
  content: { outcome: 'answered' | 'done' | 'planned'; operation: string } & Record<string, unknown>
): ToolAnswer {
  return { isError: false, json: harmlessJson(content) }
}

/**
 * Creates a refusal for an agent: the code, the reason and what to do next. What people may do
 * about it (`allowedActions`, a remedy) is left out, because it may end or force something.
 */
export function refusalWith(problem: Problem, next: string): ToolAnswer {
  const { detail, errors, currentStatus, members } = problem.extras
  const reported = {
    code: problem.code,
    status: problem.status,
    detail: detail ?? problem.message,
    ...(errors && { errors }),
    ...(currentStatus && { currentStatus }),
    ...members,
    next,
  }
  return { isError: true, json: harmlessJson(reported) }
}

/** Returns the answer in the SDK's form: text, between marks. */
export function resultOf({ isError, json }: ToolAnswer): CallToolResult {
  return { ...(isError && { isError }), content: [{ type: 'text', text: fenced(json) }] }
}

/** Returns the same as JSON, with further members. */
export function resultJson({ isError, json }: ToolAnswer, more: string): string {
  const text = `"content":[{"type":"text","text":${JSON.stringify(fenced(json))}}]`
  return isError ? `{"isError":true,${text},${more}}` : `{${text},${more}}`
}
