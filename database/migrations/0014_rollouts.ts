import { BaseSchema } from '@adonisjs/lucid/schema'

/** Policies of rollouts, their judgements, and pressed red buttons. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('rollout_policies', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      // Null for the first store of the app.
      table.string('destination_id', 64)
      // JSON
      table.text('policy').notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'], 'rollout_policies_app_id_lookup')
      table.index(['destination_id'], 'rollout_policies_destination_id_lookup')
      table
        .foreign(['organization_id', 'destination_id'])
        .references(['organization_id', 'id'])
        .inTable('destinations')
        .onDelete('CASCADE')
    })
    this.schema.raw(`
      create unique index rollout_policies_one on rollout_policies (organization_id, app_id, coalesce(destination_id, ''))`)

    this.schema.createTable('rollouts', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable()
      // Without a foreign key: what was rolled out stays when the integration goes.
      table.string('integration_id', 64).notNullable()
      table.string('started_at', 24).notNullable()
      table.string('ended_at', 24)
      // JSON: the percentages with when each was reached; what was last found; what comes next.
      table.text('stages').notNullable()
      table.text('judgements').notNullable()
      table.text('next')
      table.string('paused_for', 16)
      table.text('called_for')
      table.string('issue_id', 64)
      table.string('look_at', 24)
      // JSON: the last reports of providers about the version and the one before.
      table.text('samples').notNullable().defaultTo('[]')
      table.string('asked_since', 24)
      // JSON: the share of users that had the version, as analytics last reported it.
      table.text('adoption')
      table.unique(['release_id', 'integration_id'])
      table.index(['integration_id', 'started_at'])
      table.index(['organization_id', 'app_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    // The findings of the guard, check by check.
    this.schema.createTable('rollout_looks', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      // Without a foreign key, as above.
      table.string('integration_id', 64).notNullable()
      table.string('metric', 100).notNullable()
      table.string('at', 24).notNullable()
      table.double('percentage').notNullable()
      table.string('verdict', 16).notNullable()
      // Shares from 0 to 1; null without data.
      table.double('rate')
      table.double('baseline_rate')
      table.double('harm_budget')
      table.double('total').notNullable()
      table.double('bad').notNullable()
      table.primary(['organization_id', 'release_id', 'integration_id', 'metric', 'at'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    this.schema.createTable('red_buttons', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('pressed_at', 24).notNullable()
      // JSON: an actor.
      table.text('pressed_by').notNullable()
      table.text('reason')
      table.string('issue_id', 64).notNullable()
      table.text('generations').notNullable().defaultTo('{}')
      table.index(['organization_id', 'app_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })
  }
}
