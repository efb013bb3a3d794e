import { validateBody } from '#foundation/api/execution/validate'
import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'

/*
 * The service reports all errors of a body at once. A rule that only the handler checks would be
 * hidden while another member has the wrong shape; a refused body of the right shape reveals it.
 */

/** Operations that accept or refuse each entry of a list by itself, by shape and rules at once. */
const JUDGED_ONE_BY_ONE = ['postCustomEvents', 'createRegressionItems', 'updateRegressionItems']

/** @throws Error for an operation that refuses a body of the right shape and declares no `check` */
export async function requireCheckDeclared(
  operationId: string,
  sent: Buffer | undefined,
  response: { status: number; body: unknown }
): Promise<void> {
  const { code, errors = [] } = response.body as { code?: string; errors?: { pointer?: string }[] }
  if (response.status !== 422 || code !== 'invalid_input') return
  if (!sent || !errors.some(({ pointer }) => pointer)) return
  const { body, check } = operations.get(operationId) as unknown as AnyOperation
  const declared = body as AnyOperation['body'] & { kind?: string }
  if (check || declared?.kind !== 'json' || JUDGED_ONE_BY_ONE.includes(operationId)) return
  const { validator } = declared as Extract<typeof declared, { kind: 'json' }>
  const members = Object.keys((inputSchema(validator) as { properties?: object }).properties ?? {})
  // A single member cannot hide a rule of another one.
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
