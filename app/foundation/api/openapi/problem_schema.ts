import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { Problem, renderProblem } from '../../core/problems/problem.js'
import { entity, list, nonEmpty, object, text } from '../../core/schemas.js'

const line = (description: string) => Type.Optional(Type.Integer({ description, minimum: 1 }))

const Place = object('One broken place of the request.', {
  pointer: Type.Optional(text('JSON pointer into the body; absent outside of it.', 1000)),
  parameter: Type.Optional(
    nonEmpty('Name of the query, path or header parameter; absent for the body.', 100)
  ),
  path: Type.Optional(text('Path into the YAML file; absent for other bodies.', 2000)),
  line: line('Line in the YAML file, from 1.'),
  column: line('Column in the YAML file, from 1.'),
  code: nonEmpty('What is wrong; stable.', 64),
  message: nonEmpty('What is wrong and what would be right, for people.', 2000),
  suggestion: Type.Optional(nonEmpty('What was probably meant.', 200)),
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
    detail: nonEmpty('What went wrong this time, for people.', 10_000),
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
    error: nonEmpty('Repeats `detail`, for existing clients.', 10_000),
    errors: list('Every broken place of the request; empty where none is to blame.', Place, 1000),
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
