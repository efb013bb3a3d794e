import type { Api } from '#tests/support/api'
import { call, refusalOf } from '../support.js'
import { tools } from '../../tools/catalog.js'

/** Returns the tool and the action of an operation. */
export function placeOf(operation: string): { tool: string; action: string } {
  for (const { name: tool, actions } of tools) {
    for (const [action, declared] of Object.entries(actions))
      if (declared.operation === operation) return { tool, action }
  }
  throw new Error(`No tool has ${operation}`)
}

/** An action whose plan an agent has. */
export interface Planned {
  /** The plan as shown. */
  plan: any
  /** Sends the token. Returns `done`, or the code of the refusal. */
  confirm: () => Promise<string>
}

/** Requests an action, and returns its plan. @throws when it has none */
export async function planned(
  api: Api,
  operation: string,
  reported: Record<string, unknown>
): Promise<Planned> {
  const { tool, action } = placeOf(operation)
  const shown = await call(api, tool, { action, ...reported })
  const { plan, outcome } = shown.structuredContent ?? {}
  if (outcome !== 'planned' || !plan.token)
    throw new Error(`${operation} has no plan: ${shown.content[0].text}`)
  return {
    plan,
    confirm: async () => {
      const response = await call(api, tool, { action, ...reported, plan: plan.token })
      return response.isError ? refusalOf(response).code : response.structuredContent.outcome
    },
  }
}
