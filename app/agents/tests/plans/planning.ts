import type { Api } from '#tests/support/api'
import { call, refusalOf } from '../support.js'
import { tools } from '../../tools/catalog.js'

/** The tool and the action that an operation is asked for by. */
export function placeOf(operation: string): { tool: string; action: string } {
  for (const { name: tool, actions } of tools) {
    for (const [action, declared] of Object.entries(actions))
      if (declared.operation === operation) return { tool, action }
  }
  throw new Error(`No tool has ${operation}`)
}

/** An action that an agent has the plan of. */
export interface Planned {
  /** The shown plan. */
  plan: any
  /** Sends the token; answers `done`, or the code it was refused with. */
  confirm: () => Promise<string>
}

/** Asks for an action, and for its plan if it has one. @throws where it has none */
export async function planned(
  api: Api,
  operation: string,
  told: Record<string, unknown>
): Promise<Planned> {
  const { tool, action } = placeOf(operation)
  const shown = await call(api, tool, { action, ...told })
  const { plan, outcome } = shown.structuredContent ?? {}
  if (outcome !== 'planned' || !plan.token)
    throw new Error(`${operation} has no plan: ${shown.content[0].text}`)
  return {
    plan,
    confirm: async () => {
      const answer = await call(api, tool, { action, ...told, plan: plan.token })
      return answer.isError ? refusalOf(answer).code : answer.structuredContent.outcome
    },
  }
}
