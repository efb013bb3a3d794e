import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { problemMembers } from '../../core/problems/members.js'
import { Problem, renderProblem } from '../../core/problems/problem.js'
import { count, entity, list, nonEmpty, object } from '../../core/schemas.js'

const words = (description: string) => Type.String({ description, minLength: 1 })
const line = (description: string) => Type.Optional(Type.Integer({ description, minimum: 1 }))

const Place = object('An error in the request.', {
  pointer: Type.Optional(
    Type.String({ description: 'JSON pointer into the body; absent for errors elsewhere.' })
  ),
  parameter: Type.Optional(
    words('Name of the query, path or header parameter; absent for the body.')
  ),
  path: Type.Optional(
    Type.String({
      description: 'Path into the YAML file, or a column of the CSV file; absent for other bodies.',
    })
  ),
  line: line('Line in the file, from 1.'),
  column: line('Column in the file, from 1.'),
  code: nonEmpty('Stable code of the error.', 64),
  message: words('What is wrong and what would be valid, for people.'),
  suggestion: Type.Optional(words('Suggested correction.')),
  index: Type.Optional(count('In a batch: index of the item, from 0.')),
  id: Type.Optional(words('In a batch: id of the item, as sent.')),
  error: Type.Optional(words('In a batch: repeats `message`.')),
})

/** Returns the specification's model `Error`: a problem of RFC 9457. */
export const problemSchema = () =>
  entity('Error', 'Why a request was refused, as an RFC 9457 problem.', {
    type: Type.String({
      description: 'URL of the page about the code.',
      format: 'uri-reference',
    }),
    title: nonEmpty('Short explanation of the code.', 200),
    status: Type.Integer({
      description: 'HTTP status of the response.',
      minimum: 400,
      maximum: 599,
    }),
    detail: words('What went wrong in this case, for people.'),
    instance: Type.String({
      description: 'The refused request, as a URN.',
      format: 'uri-reference',
    }),
    code: Type.Unsafe<ProblemCode>({
      description: 'What went wrong; stable, for clients to branch on.',
      type: 'string',
      enum: [...allProblems().keys()],
    }),
    requestId: nonEmpty('Id of the request, as in `X-Request-Id`.', 128),
    error: words('Repeats `detail`, for existing clients.'),
    errors: Type.Array(Place, {
      description: 'All errors in the request; empty if it has none.',
    }),
    currentStatus: Type.Optional(
      nonEmpty(
        'With a 409 caused by a status: the current status, as the resource itself shows it. Absent if no status is the cause.',
        64
      )
    ),
    allowedActions: Type.Optional(
      list(
        'With `currentStatus`: the actions currently possible; empty if there are none. Each is the name of an operation without its noun (`complete`, `unskip`, `edit`), or a status that can be set.',
        nonEmpty('An action.', 64),
        50
      )
    ),
    missingActions: Type.Optional(
      list(
        'With `action_missing`: user actions, one of which the key needs.',
        nonEmpty('A user action.', 64),
        100
      )
    ),
    limit: Type.Optional(
      count('With `too_large` the maximum number of bytes, with `too_many_…` the maximum count.')
    ),
    ...problemMembers(),
  })

/** Returns an example of a problem with a status. */
export function problemExample(status: number): unknown {
  const [code] = [...allProblems()].find(([, [each]]) => each === status)!
  return renderProblem(new Problem(code as ProblemCode), 'req_7hK2mQx9', '')
}
