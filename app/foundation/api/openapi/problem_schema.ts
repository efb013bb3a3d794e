import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { Problem, renderProblem } from '../../core/problems/problem.js'
import { entity, list, nonEmpty, object } from '../../core/schemas.js'

const words = (description: string) => Type.String({ description, minLength: 1 })
const line = (description: string) => Type.Optional(Type.Integer({ description, minimum: 1 }))

const Place = object('One broken place of the request.', {
  pointer: Type.Optional(
    Type.String({ description: 'JSON pointer into the body; absent outside of it.' })
  ),
  parameter: Type.Optional(
    words('Name of the query, path or header parameter; absent for the body.')
  ),
  path: Type.Optional(
    Type.String({ description: 'Path into the YAML file; absent for other bodies.' })
  ),
  line: line('Line in the YAML file, from 1.'),
  column: line('Column in the YAML file, from 1.'),
  code: nonEmpty('What is wrong; stable.', 64),
  message: words('What is wrong and what would be right, for people.'),
  suggestion: Type.Optional(words('What was probably meant.')),
})

/** The specification's model `Error`: a problem of RFC 9457. */
export const problemSchema = () =>
  entity('Error', 'Why a request was refused, as a problem of RFC 9457.', {
    type: Type.String({
      description: 'Address of the page about the code.',
      format: 'uri-reference',
    }),
    title: nonEmpty('What the code means, in a few words.', 200),
    status: Type.Integer({
      description: 'HTTP status of the answer.',
      minimum: 400,
      maximum: 599,
    }),
    detail: words('What went wrong this time, for people.'),
    instance: Type.String({
      description: 'The request it happened in, as a URN.',
      format: 'uri-reference',
    }),
    code: Type.Unsafe<ProblemCode>({
      description: 'What went wrong; stable, for clients to branch on.',
      type: 'string',
      enum: [...allProblems().keys()],
    }),
    requestId: nonEmpty('Id of the request, as `X-Request-Id` says it too.', 128),
    error: words('Repeats `detail`, for existing clients.'),
    errors: Type.Array(Place, {
      description: 'Every broken place of the request; empty where none is to blame.',
    }),
    currentStatus: Type.Optional(
      nonEmpty('409 only: what the thing is now; absent where that does not explain it.', 64)
    ),
    allowedActions: Type.Optional(
      list('409 only: what may be done instead.', nonEmpty('An action.', 64), 50)
    ),
  })

/** A problem of a status, as the service would answer it. */
export function problemExample(status: number): unknown {
  const [code] = [...allProblems()].find(([, [each]]) => each === status)!
  return renderProblem(new Problem(code as ProblemCode), 'req_7hK2mQx9', '')
}
