import { BaseSchema } from '@adonisjs/lucid/schema'

/** People are called once for each reason and day, so several reasons are kept. */
export default class extends BaseSchema {
  override async up() {
    this.#lengthTo('text')
  }

  override async down() {
    this.#lengthTo('varchar(32) using left(called_for, 32)')
  }

  /** SQLite knows no lengths. */
  #lengthTo(type: string) {
    if (this.db.dialect.name !== 'postgres') return
    this.schema.raw(`alter table rollouts alter column called_for type ${type}`)
  }
}
