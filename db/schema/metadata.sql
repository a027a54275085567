-- Lists of charges, refunds and customers that are filtered by metadata.

-- A tag for each key and value of a row, in the order of ids. A page is then read in its order, whether few rows have the
-- value or all of them.
create table metadata_tags (
  tag bytea not null,
  -- of the charge, the refund or the customer
  id text collate "C" not null,
  primary key (tag, id)
);

-- Like toTag of db/metadata-tags.ts. Two values may have a tag in common by chance; a list checks its rows for that.
create function metadata_tag(account_id text, key text, value text) returns bytea
language sql immutable parallel safe
as $$ select substr(sha256(convert_to(account_id || ' ' || key || '=' || value, 'UTF8')), 1, 8) $$;

create function keep_metadata_tags() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from metadata_tags t using json_each_text(old.metadata) m
    where t.tag = metadata_tag(old.account_id, m.key, m.value) and t.id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into metadata_tags (tag, id)
    select metadata_tag(new.account_id, m.key, m.value), new.id from json_each_text(new.metadata) m
    on conflict do nothing;
  end if;
  return null;
end $$;

-- Each row has its tags, whichever statement writes it. The triggers fire for rows with metadata alone, and for updates that
-- name the column; steps that move money never do.
create trigger metadata_tags_insert after insert on charges for each row
  when (new.metadata::text <> '{}') execute function keep_metadata_tags();
create trigger metadata_tags_update after update of metadata on charges for each row
  when (old.metadata::text <> new.metadata::text) execute function keep_metadata_tags();
create trigger metadata_tags_delete after delete on charges for each row
  when (old.metadata::text <> '{}') execute function keep_metadata_tags();

create trigger metadata_tags_insert after insert on refunds for each row
  when (new.metadata::text <> '{}') execute function keep_metadata_tags();
create trigger metadata_tags_update after update of metadata on refunds for each row
  when (old.metadata::text <> new.metadata::text) execute function keep_metadata_tags();
create trigger metadata_tags_delete after delete on refunds for each row
  when (old.metadata::text <> '{}') execute function keep_metadata_tags();

create trigger metadata_tags_insert after insert on customers for each row
  when (new.metadata::text <> '{}') execute function keep_metadata_tags();
create trigger metadata_tags_update after update of metadata on customers for each row
  when (old.metadata::text <> new.metadata::text) execute function keep_metadata_tags();
create trigger metadata_tags_delete after delete on customers for each row
  when (old.metadata::text <> '{}') execute function keep_metadata_tags();
