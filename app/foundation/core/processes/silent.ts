/** The time by the clock that all processes share, in milliseconds since the epoch. */
export const NOW = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'

/**
 * Nothing was heard of a process for longer than is borne. A heartbeat that lies ahead is from
 * before somebody set the clock back.
 */
export const IS_SILENT = `(gone_at is null
  and (heard_at + patience_ms < ${NOW} or heard_at - patience_ms > ${NOW}))`

/** Others take it for gone, and something that it held is left. */
export const IS_LEFT = '(gone_at is not null and not is_cleared)'
