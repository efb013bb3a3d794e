import { ExtensionPoint } from './extension_point.js'
import type { Derivable } from './rows_to_derive.js'
import type { Scope } from './scope.js'

/*
 * A unit of work has three phases. An action changes facts and touches the rows that depend on them
 * (`Scope.touch`). Then the touched rows are derived again (`Scope.derive`), which may touch more
 * rows. Only then is the response read.
 */

/** Derives the stored state of the rows of one model. */
export interface Derivation<Row extends Derivable = Derivable> {
  model: new () => Row
  /** Updates the stored state of a row from its facts, and records an event per difference. */
  derive(scope: Scope, row: Row): Promise<void>
}

export const derivations = new ExtensionPoint<Derivation>()

/** Declares a derivation for a module's manifest. */
export const derives = <Row extends Derivable>(derivation: Derivation<Row>) =>
  derivations.extend(derivation as unknown as Derivation)

/** Derives a row by the rule of its model. @throws Error if there is none */
export async function deriveRow(scope: Scope, row: Derivable): Promise<void> {
  const found = derivations.all.find(({ model }) => row instanceof model)
  if (!found) throw new Error(`Nothing is derived of ${row.constructor.name}`)
  await found.derive(scope, row)
}
