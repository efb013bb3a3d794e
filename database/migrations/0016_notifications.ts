import { BaseSchema } from '@adonisjs/lucid/schema'

/** Settings of notifications, and the messages in chats. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('app_notifications', (table) => {
      table.string('app_id', 100).primary()
      table.string('organization_id', 64).notNullable()
      // JSON: where the app is set otherwise than by default, by type.
      table.text('settings').notNullable()
      // JSON: reasons why channels could not be notified, and since when.
      table.text('troubles').notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })

    this.schema.createTable('chat_messages', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      // Internal id; null for what belongs to no release.
      table.string('release_id', 64)
      table.string('type', 64).notNullable()
      // The subject of the message: there is one per subject and channel.
      table.string('thing', 300).notNullable()
      table.string('channel', 200).notNullable()
      // JSON: what happened, oldest first.
      table.text('lines').notNullable()
      // Counts the changes of the lines; `notified` is how many of them the chat has.
      table.integer('revision').notNullable()
      table.integer('notified').notNullable()
      table.string('integration_id', 64)
      table.string('message_id', 500)
      table.string('posted_at', 24)
      table.string('notified_at', 24)
      table.string('updated_at', 24).notNullable()
      table.unique(['app_id', 'channel', 'thing'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['release_id'])
      table.index(['updated_at'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })
  }
}
