import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Versions in stores, and what is wanted of them. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('app_store_builds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('destination_id', 64)
      // Without a foreign key: what was seen stays when the integration goes.
      table.string('integration_id', 64).notNullable()
      table.string('release_id', 64).references('releases.id').onDelete('SET NULL')
      table.string('store_type', 16).notNullable()
      table.string('build_number', 64).notNullable()
      table.string('version', 64).notNullable()
      // JSON: the newest look at it in the store, the newest whose state is a known one, and the
      // newest in beta.
      table.text('seen')
      table.text('known')
      table.text('beta')
      // JSON: the groups of testers that it was last to be given to, and what became of that.
      table.text('distribution')
      table.string('commit_hash', 64)
      table.string('ci_build_id', 64).references('ci_builds.id').onDelete('SET NULL')
      table.string('matched_by', 16)
      table.string('uploaded_at', 24).notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'version'])
      table.index(['ci_build_id'])
      table.index(['release_id', 'created_at', 'id'])
    })
    this.schema.raw(`
      create unique index app_store_builds_one on app_store_builds (organization_id, app_id, coalesce(destination_id, ''), version, build_number)`)

    this.schema.createTable('app_store_versions', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('destination_id', 64)
      table.string('release_id', 64).notNullable()
      table.string('store_type', 16).notNullable()
      // JSON: the newest look, and the newest whose state is a known one.
      table.text('seen').notNullable()
      table.text('known')
      // The first look of each that is known, since the version was last submitted from here.
      table.string('submitted_at', 24)
      table.string('approved_at', 24)
      table.string('released_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.text('past').notNullable().defaultTo('[]')
      table.boolean('is_over').notNullable().defaultTo(false)
      table.unique(['release_id', 'integration_id'])
      table.index(['app_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    this.schema.createTable('store_plans', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('build_id', 64).references('app_store_builds.id').onDelete('SET NULL')
      table.boolean('by_hand').notNullable()
      // JSON: what was last wanted of the store, what came of it, and a question it left.
      table.text('wanted')
      table.text('rollout')
      table.text('next_stage')
      table.text('question')
      table.string('updated_at', 24).notNullable()
      // JSON; null for a release that was made before, and for hotfixes.
      table.text('settings')
      table.text('submitted_as')
      table.unique(['release_id', 'integration_id'])
      table.index(['build_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    this.schema.createTable('store_watches', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('integration_id', 64).notNullable()
      // `versions`, `builds`, `betaBuilds` or `reviews`.
      table.string('what', 16).notNullable()
      table.primary(['integration_id', 'what'])
      table.index(['organization_id', 'app_id'])
    })

    this.schema.createTable('app_store_reviews', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('destination_id', 64)
      table.string('store_type', 16).notNullable()
      table.string('store_ref', 200).notNullable()
      table.integer('rating').notNullable()
      table.text('title')
      table.text('body').notNullable()
      table.text('author').notNullable()
      table.string('locale', 35).notNullable()
      table.string('territory', 16)
      table.string('version', 64)
      // JSON: the device, and what the developer answered.
      table.text('data').notNullable()
      // JSON: the last answer that was asked for here, and what became of it.
      table.text('reply')
      // JSON: the words that it is grouped by.
      table.text('terms').notNullable()
      table.string('written_at', 24).notNullable()
      table.string('seen_at', 24).notNullable()
      table.unique(['integration_id', 'store_ref'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'written_at', 'id'])
      table.index(['integration_id', 'written_at'], 'app_store_reviews_newest')
      table.index(['app_id', 'version', 'written_at', 'id'], 'app_store_reviews_of_version')
    })

    this.schema.createTable('app_store_review_attachments', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).references('releases.id').onDelete('SET NULL')
      table.string('file_name', 255).notNullable()
      table.string('content_type', 200).notNullable()
      table.bigInteger('size').notNullable()
      table.string('sha256', 64).notNullable()
      table.string('file_id', 64)
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'created_at'])
      table.index(['file_id'], 'app_store_review_attachments_file_id_lookup')
      table.index(['release_id'], 'app_store_review_attachments_release_id_lookup')
      table
        .foreign(['organization_id', 'file_id'])
        .references(['organization_id', 'id'])
        .inTable('stored_files')
    })

    this.schema.createTable('store_records', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('plugin_id', 64).notNullable()
      table.string('bundle_id', 255).notNullable()
      table.string('platform', 16).notNullable()
      table.integer('generation').notNullable()
      table.integer('lag_seconds').notNullable()
      table.string('polled_at', 24)
      // JSON: reads that failed; calls that may still arrive and the last of each decision; versions of no release.
      table.text('poll_failure')
      table.text('calls').notNullable()
      table.text('others').notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['organization_id', 'plugin_id', 'bundle_id', 'platform'])
      table.unique(referred)
    })

    this.schema.createTable('store_members', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).primary()
      table.string('store_id', 64).notNullable()
      table.index(['store_id'])
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'store_id'])
        .references(['organization_id', 'id'])
        .inTable('store_records')
        .onDelete('CASCADE')
    })

    // Without foreign keys to releases and apps: a removed one parts the pair, and notifies the
    // other.
    this.schema.createTable('release_pairs', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('apple_app_id', 100).notNullable()
      table.string('apple_release_id', 64).notNullable().unique()
      table.string('google_app_id', 100).notNullable()
      table.string('google_release_id', 64).notNullable().unique()
      // JSON: an actor; who took both off, and what of it the stores were asked for.
      table.text('joined_by').notNullable()
      table.string('joined_at', 24).notNullable()
      table.text('takeoff')
      table.boolean('is_reported').notNullable()
      table.index(['apple_app_id'])
      table.index(['google_app_id'])
    })
  }
}
