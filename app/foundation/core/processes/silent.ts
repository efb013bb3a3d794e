/** The time by the clock that all processes share, in milliseconds since the epoch. */
export const NOW = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'

/**
 * True for a process that was silent for longer than tolerated. A heartbeat far in the future is
 * from before the clock was set back.
 */
export const IS_SILENT = `(gone_at is null
  and (heard_at + patience_ms < ${NOW} or heard_at - patience_ms > ${NOW}))`

/** True for a process that was declared gone and still has claims. */
export const IS_LEFT = '(gone_at is not null and not is_cleared)'
