import { validateBody } from '#foundation/api/execution/validate'
import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'

/*
 * All errors of a body are reported at once: rules that only the handler knows would be hidden by a
 * member of the wrong shape. A body of the right shape that is refused reveals such a rule.
 */

/** Each entry of a list is taken or refused by itself, shape and rules in one. */
const JUDGED_ONE_BY_ONE = ['postCustomEvents', 'createRegressionItems', 'updateRegressionItems']

/** @throws Error for an operation that refuses more than shapes and declares no `check`. */
export async function demandCheckDeclared(
  operationId: string,
  sent: Buffer | undefined,
  answer: { status: number; body: unknown }
): Promise<void> {
  const { code, errors = [] } = answer.body as { code?: string; errors?: { pointer?: string }[] }
  if (answer.status !== 422 || code !== 'invalid_input') return
  if (!sent || !errors.some(({ pointer }) => pointer)) return
  const { body, check } = operations.get(operationId) as unknown as AnyOperation
  const declared = body as AnyOperation['body'] & { kind?: string }
  if (check || declared?.kind !== 'json' || JUDGED_ONE_BY_ONE.includes(operationId)) return
  const { validator } = declared as Extract<typeof declared, { kind: 'json' }>
  const members = Object.keys((inputSchema(validator) as { properties?: object }).properties ?? {})
  // A fault of the only member is one fault.
  if (members.length < 2) return
  if (await isOfRightShape(validator, sent)) {
    throw new Error(`${operationId} refuses more than shapes: declare \`check\``)
  }
}

async function isOfRightShape(validator: Parameters<typeof validateBody>[0], sent: Buffer) {
  try {
    await validateBody(validator, JSON.parse(sent.toString()))
    return true
  } catch {
    return false
  }
}
