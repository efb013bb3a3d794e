import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What belongs to an app and to none of its releases is found, and a failed icon is shown. What
 * was completed by hand says whether it was released: when it was kicked off.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw('alter table apps add column icon_failure text')
    this.schema.raw(
      `create index events_app_index on events (app_id, occurred_at, id)
       where release_id is null and sequence is null`
    )
    this.schema.raw(
      `update releases set released_at = completed_at
       where status = 'completed' and released_at is null and kicked_off_at is not null`
    )
    this.schema.raw(
      `update releases set phase = 'upcoming'
       where status = 'completed' and released_at is null and kicked_off_at is null`
    )
  }

  override async down() {
    this.schema.raw('drop index events_app_index')
    this.schema.raw('alter table apps drop column icon_failure')
  }
}
