import { Type } from '@sinclair/typebox'
import { allProblems, type ProblemCode } from '../../core/problems/catalog.js'
import { problemMembers } from '../../core/problems/members.js'
import { Problem, renderProblem } from '../../core/problems/problem.js'
import { count, entity, list, nonEmpty, object } from '../../core/schemas.js'

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
    Type.String({
      description: 'Path into the YAML file, or a column of the CSV file; absent for other bodies.',
    })
  ),
  line: line('Line in the file, from 1.'),
  column: line('Column in the file, from 1.'),
  code: nonEmpty('What is wrong; stable.', 64),
  message: words('What is wrong and what would be right, for people.'),
  suggestion: Type.Optional(words('What was probably meant.')),
  index: Type.Optional(count('Of a batch: place of the item in it, from 0.')),
  id: Type.Optional(words('Of a batch: id of the item, as it was sent.')),
  error: Type.Optional(words('Of a batch: repeats `message`.')),
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
      description: 'Every broken place of the request; empty if none is to blame.',
    }),
    currentStatus: Type.Optional(
      nonEmpty(
        'With a 409 that stems from a status: the status now, in the words of the thing it is of. Absent where no status is in the way.',
        64
      )
    ),
    allowedActions: Type.Optional(
      list(
        'Beside `currentStatus`: what can be done with the thing as it is now; empty when nothing can. A name is that of an operation without its noun (`complete`, `unskip`, `edit`), or a status that can be set.',
        nonEmpty('An action.', 64),
        50
      )
    ),
    missingActions: Type.Optional(
      list(
        'With `action_missing`: the user actions of which the key needs one.',
        nonEmpty('A user action.', 64),
        100
      )
    ),
    limit: Type.Optional(
      count(
        'With `too_large` the most bytes that are taken, with `too_many_…` the most there may be.'
      )
    ),
    ...problemMembers(),
  })

/** An example of a problem with a status. */
export function problemExample(status: number): unknown {
  const [code] = [...allProblems()].find(([, [each]]) => each === status)!
  return renderProblem(new Problem(code as ProblemCode), 'req_7hK2mQx9', '')
}
