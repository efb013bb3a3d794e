import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { problemMembers } from '../../core/problems/members.js'
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
  index: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of a batch: place of the item in it, from 0.' })
  ),
  id: Type.Optional(Type.String({ description: 'Of a batch: id of the item, as it was sent.' })),
  error: Type.Optional(Type.String({ description: 'Of a batch: repeats `message`.' })),
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
      currentStatus: Type.Optional(
        Type.String({
          description:
            'With a 409 that stems from a status: the status now, in the words of the thing it is of. Absent where no status is in the way.',
        })
      ),
      allowedActions: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Beside `currentStatus`: what can be done with the thing as it is now; empty when nothing can. A name is that of an operation without its noun (`complete`, `unskip`, `edit`), or a status that can be set.',
        })
      ),
      missingActions: Type.Optional(
        Type.Array(Type.String(), {
          description: 'With `action_missing`: the user actions of which the key needs one.',
        })
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'With `too_large`: the most bytes that are taken.',
        })
      ),
      ...problemMembers(),
    })
  )

/** A problem of a status, as the service would answer it. */
export function problemExample(status: number): unknown {
  const [code] = [...allProblems()].find(([, [each]]) => each === status)!
  return renderProblem(new Problem(code as ProblemCode), 'req_7hK2mQx9', '')
}
