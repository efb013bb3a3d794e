import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'

/** What a call of a tool says beyond the action. */
export type Arguments = Readonly<Record<string, unknown>>

/** One thing that a tool does: one operation of the API. */
export interface ToolAction {
  /** Id of the operation. */
  operation: string
  /** What it is for, in a few words. */
  says: string
}

/** A task that an agent is given a tool for. */
export interface Tool {
  name: string
  title: string
  /** What it is for, and when not to use it. */
  description: string
  actions: Readonly<Record<string, ToolAction>>
}

export const operationOf = (action: ToolAction): AnyOperation => operations.get(action.operation)

/** Of what a tool can do at most. */
export function annotationsOf(tool: Tool): ToolAnnotations {
  const declared = Object.values(tool.actions).map(operationOf)
  const writes = declared.filter(isWrite)
  return {
    title: tool.title,
    readOnlyHint: writes.length === 0,
    destructiveHint: writes.some(({ method }) => method !== 'POST'),
    idempotentHint: writes.every(({ method }) => method === 'PUT' || method === 'DELETE'),
    // Providers and stores are asked by the service, never by a tool.
    openWorldHint: false,
  }
}
