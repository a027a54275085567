package payments

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// list returns all items of a list, and reads further pages as they are needed. After an error it ends.
func list[T any](
	ctx context.Context, c *Client, op operation, id string, params any, options []CallOption,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		query := toQuery(params)
		for {
			page, err := send[page[T]](ctx, c, op, id, query, nil, options)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if !page.HasMore || page.NextCursor == nil {
				return
			}
			query.Set("starting_after", *page.NextCursor)
		}
	}
}

type page[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// toQuery reads the members of generated parameters that go into the query: pointers with a tag `form`, and those to
// maps, which have none (`metadata[order]=6735`). A slice is repeated.
func toQuery(params any) url.Values {
	query := url.Values{}
	value := reflect.ValueOf(params)
	for i := range value.NumField() {
		name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("form"), ",")
		field := value.Field(i)
		if name == "" && field.Type().Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.Map {
			name, _, _ = strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		}
		if name == "" || field.Kind() != reflect.Pointer || field.IsNil() {
			continue
		}
		if at, ok := field.Interface().(*time.Time); ok {
			query.Set(name, at.UTC().Format(time.RFC3339Nano))
			continue
		}
		if field.Elem().Kind() == reflect.Map {
			for _, key := range field.Elem().MapKeys() {
				query.Set(fmt.Sprintf("%s[%s]", name, key), fmt.Sprint(field.Elem().MapIndex(key)))
			}
			continue
		}
		if field.Elem().Kind() == reflect.Slice {
			for index := range field.Elem().Len() {
				query.Add(name, fmt.Sprint(field.Elem().Index(index).Interface()))
			}
			continue
		}
		query.Set(name, fmt.Sprint(field.Elem().Interface()))
	}
	return query
}
