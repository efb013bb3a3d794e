import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Rendered } from '#foundation/api/execution/render'
import type { Problem } from '#foundation/core/problems/problem'
import { adviceOn } from './advice.js'
import { brief } from './brief.js'
import { fenced, harmlessJson } from './harmless.js'
import type { Arguments, Tool } from './tool.js'

/** What the answer of an operation shows of itself. */
interface Shown {
  result?: unknown
  leftOut?: string[]
  entityTag?: string
}

/** The answer of an operation as an agent reads it, and how many entries of it are shown. */
export function shownOf(
  rendered: Rendered,
  { fields }: Arguments
): { shown: Shown; entries?: number } {
  const { headers, status } = rendered
  const tag = headers.etag ? { entityTag: headers.etag } : {}
  if (status === 204) return { shown: tag }
  const isJson = headers['content-type']?.includes('json') ?? false
  // A file is of use only as a whole.
  if (!isJson) return { shown: { result: rendered.bytes.toString(), ...tag } }
  const body = rendered.body ?? JSON.parse(rendered.bytes.toString())
  const { value, leftOut, shown } = brief(body, fields as string[] | undefined)
  return {
    shown: { result: value, ...(leftOut.length > 0 && { leftOut }), ...tag },
    ...(shown !== undefined && { entries: shown }),
  }
}

/** What a tool answers. Its JSON is made once, for programs and, between marks, for models. */
export interface ToolAnswer {
  isError: boolean
  content: Record<string, unknown>
  json: string
}

export function answerWith(
  content: { outcome: 'answered' | 'done' | 'planned'; operation: string } & Record<string, unknown>
): ToolAnswer {
  const { value, json } = harmlessJson(content)
  return { isError: false, content: value, json }
}

/** A refusal as the agent reads it: the code, why, and what to do next. */
export function refusalWith(problem: Problem, tool: Tool): ToolAnswer {
  const { detail, errors, currentStatus, allowedActions, members } = problem.extras
  const told = {
    code: problem.code,
    status: problem.status,
    detail: detail ?? problem.message,
    ...(errors && { errors }),
    ...(currentStatus && { currentStatus, allowedActions }),
    ...members,
    next: adviceOn(problem, tool),
  }
  const { value, json } = harmlessJson(told)
  return { isError: true, content: value, json }
}

/** The answer as the SDK takes it. */
export function resultOf({ isError, content, json }: ToolAnswer): CallToolResult {
  const text = [{ type: 'text' as const, text: fenced(json) }]
  return isError ? { isError, content: text } : { structuredContent: content, content: text }
}

/** The same as JSON, with further members. */
export function resultJson({ isError, json }: ToolAnswer, more: string): string {
  const text = `"content":[{"type":"text","text":${JSON.stringify(fenced(json))}}]`
  return isError
    ? `{"isError":true,${text},${more}}`
    : `{"structuredContent":${json},${text},${more}}`
}
