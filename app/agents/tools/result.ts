import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Rendered } from '#foundation/api/execution/render'
import type { Problem } from '#foundation/core/problems/problem'
import { brief } from './brief.js'
import { fenced, harmlessJson } from './harmless.js'
import type { Arguments } from './tool.js'

/** The status and headers that an answer shows. */
interface Shown {
  result?: unknown
  leftOut?: string[]
  entityTag?: string
}

/**
 * The answer of an operation as an agent reads it, and how many entries of it are shown.
 * @param taken bytes that are told beside it
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
  // A file is of use only as a whole.
  if (!isJson) return { shown: { result: rendered.bytes.toString(), ...tag } }
  const { value, leftOut, shown } = brief(bodyOf(rendered), fields as string[] | undefined, taken)
  return {
    shown: { result: value, ...(leftOut.length > 0 && { leftOut }), ...tag },
    ...(shown !== undefined && { entries: shown }),
  }
}

/** Returns the body of an answer. */
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
 * A refusal as the agent reads it: the code, why, and what to do next. What people may do about it
 * (`allowedActions`, a remedy) is left out: it may be to end or to force something.
 */
export function refusalWith(problem: Problem, next: string): ToolAnswer {
  const { detail, errors, currentStatus, members } = problem.extras
  const told = {
    code: problem.code,
    status: problem.status,
    detail: detail ?? problem.message,
    ...(errors && { errors }),
    ...(currentStatus && { currentStatus }),
    ...members,
    next,
  }
  return { isError: true, json: harmlessJson(told) }
}

/** The answer as the SDK takes it: text, between marks. */
export function resultOf({ isError, json }: ToolAnswer): CallToolResult {
  return { ...(isError && { isError }), content: [{ type: 'text', text: fenced(json) }] }
}

/** The same as JSON, with further members. */
export function resultJson({ isError, json }: ToolAnswer, more: string): string {
  const text = `"content":[{"type":"text","text":${JSON.stringify(fenced(json))}}]`
  return isError ? `{"isError":true,${text},${more}}` : `{${text},${more}}`
}
