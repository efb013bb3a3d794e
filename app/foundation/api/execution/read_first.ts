import type { Question } from '../../core/database/connections.js'
import type { Principal } from '../../core/principal.js'
import type { AsksAhead } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import { parameters } from '../operation/parameters.js'

type Params = Readonly<Record<string, string>>

/** Asks ahead for what a write reads first, by the parameters of its path. */
export function askForFirst({ path }: AnyOperation, asker: AsksAhead, params: Params): void {
  for (const [, each] of parameters.in(path)) each.askAhead?.(asker, params)
}

/** The same as questions, for who asks them in somebody's stead. */
export function readFirst(
  operation: AnyOperation,
  principal: Principal,
  params: Params
): readonly Question[] {
  const questions: Question[] = []
  const org = principal.organization.id
  const askAhead: AsksAhead['askAhead'] = (statement, bindings) => {
    questions.push({ statement, bindings: { ...bindings, org } })
  }
  askForFirst(operation, { askAhead }, params)
  return questions
}
