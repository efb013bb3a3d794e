import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { Problem, renderProblem } from '../../core/problems/problem.js'
import { named } from '../../core/schemas.js'

const Place = Type.Object({
  pointer: Type.Optional(Type.String()),
  parameter: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
  code: Type.String(),
  message: Type.String(),
  suggestion: Type.Optional(Type.String()),
})

/** The specification's model `Error`: a problem of RFC 9457. */
export const problemSchema = () =>
  named(
    'Error',
    Type.Object({
      type: Type.String({ format: 'uri-reference' }),
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String(),
      instance: Type.String({ format: 'uri-reference' }),
      code: Type.Unsafe<ProblemCode>({ type: 'string', enum: [...allProblems().keys()] }),
      requestId: Type.String(),
      error: Type.String({ description: 'Repeats `detail`, for existing clients.' }),
      errors: Type.Array(Place),
      currentStatus: Type.Optional(Type.String()),
      allowedActions: Type.Optional(Type.Array(Type.String())),
    })
  )

/** A problem of a status, as the service would answer it. */
export function problemExample(status: number): unknown {
  const [code] = [...allProblems()].find(([, [each]]) => each === status)!
  return renderProblem(new Problem(code as ProblemCode), 'req_7hK2mQx9', '')
}
